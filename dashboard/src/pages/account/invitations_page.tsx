import { Button, Paper, Stack, Title } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import { useDocumentTitle } from "@mantine/hooks";
import { useInvitations } from "../../api/invitations.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { LoadingPage } from "../../ui/skeletons.tsx";
import { AccountLayout } from "./account_layout.tsx";
import { InvitationList } from "./invitation_list.tsx";
import { WorkspacesLink } from "./workspaces_link.tsx";

export function InvitationsPage() {
  const { session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  const invitations = useInvitations();
  useDocumentTitle("Invitations · Signalpost");
  if (invitations.isPending) return <LoadingPage />;
  if (invitations.isError) {
    return <ErrorState error={invitations.error} retry={invitations.refetch} />;
  }
  return (
    <AccountLayout>
      {invitations.data.length > 0 && <WorkspacesLink />}
      <Stack>
        <Title order={1} size="h2">Invitations</Title>
        {invitations.data.length === 0
          ? (
            <Paper>
              <EmptyState
                icon={MailIcon}
                title="No open invitations"
                action={<Button variant="default" {...linkTo("/")}>Go to your workspaces</Button>}
              >
                Nobody has invited{" "}
                <b className="break-anywhere">{email}</b>. If you expected an invitation, ask which
                email address it was sent to.
              </EmptyState>
            </Paper>
          )
          : <InvitationList invitations={invitations.data} />}
      </Stack>
    </AccountLayout>
  );
}
