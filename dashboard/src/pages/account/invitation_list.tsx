import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useAccept, useDecline } from "../../api/invitations.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import type { Invitation } from "../../api/types.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { roleTexts } from "../team/members.ts";

/** Open invitations, below a warning: anyone can invite anyone. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const { session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Sent to{" "}
        <b className="break-anywhere">{email}</b>. Accept only invitations you expect from people
        you know: anyone can give a workspace any name.
      </Text>
      <Stack component="ul" p={0} m={0} aria-label="Invitations" className="plain-list">
        {invitations.map((invitation) => (
          <InvitationCard key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </Stack>
  );
}

/** Shows the inviter first: the name of a workspace can be anything. */
function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { id, workspace, role, invited_by, expires_at } = invitation;
  const accept = useAccept(id);
  const decline = useDecline(id);
  const isPending = accept.isPending || decline.isPending;
  const error = accept.error ?? decline.error;
  return (
    <Paper component="li" p="md">
      <Stack gap="xs">
        <Text className="break-anywhere">
          <b dir="auto">{invited_by ?? "Someone whose account was deleted"}</b> invites you
        </Text>
        <Text size="sm" className="break-anywhere" lineClamp={3}>
          Workspace: “<bdi>{workspace.name}</bdi>”
        </Text>
        <Text size="sm">
          Your role: <b>{role}</b> ({roleTexts[role].toLowerCase()})
        </Text>
        <Text size="xs" c="dimmed">
          Expires <TimeAgo time={expires_at} />
        </Text>
        {error && <ErrorState error={error} />}
        <Group gap="xs">
          <Button loading={accept.isPending} disabled={isPending} onClick={() => accept.mutate()}>
            Accept
          </Button>
          <Button
            variant="default"
            loading={decline.isPending}
            disabled={isPending}
            onClick={() => decline.mutate()}
          >
            Decline
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
