import { Avatar, Badge, Button, Group, Text } from "@mantine/core";
import { PeopleIcon, PersonAddIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { Member } from "../../api/types.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useMay } from "../../api/workspace.ts";
import { isOver, roleTexts } from "./members.ts";
import { MemberMenu } from "./member_menu.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const InviteModal = lateDialog(async () => (await import("./invite_modal.tsx")).InviteModal);

/**
 * @param isAdmin true for those who may see when members were active
 * @param userId the person who reads the list
 */
function makeColumns(isAdmin: boolean, userId: string | undefined): Column<Member>[] {
  const activity = isAdmin ? [makeActivityColumn(userId)] : [];
  return [memberColumn, roleColumn, ...activity, ...lastColumns];
}

const memberColumn: Column<Member> = {
  label: "Member",
  cell: (member) => (
    <Group gap="sm" wrap="nowrap">
      <Avatar size={32} name={member.email ?? ""} color="initials" alt="" />
      <div>
        <Text size="sm" fw={550} className="break-anywhere">
          {member.email ?? "Deleted account"}
        </Text>
        {member.state !== "active" && <InvitationFacts invitation={member} />}
      </div>
    </Group>
  ),
};

const roleColumn: Column<Member> = {
  label: "Role",
  cell: ({ role }) => (
    <>
      <Text size="sm" fw={550} tt="capitalize">{role}</Text>
      <Text size="xs" c="dimmed" visibleFrom="sm">{roleTexts[role]}</Text>
    </>
  ),
};

/** Auth renews a session about once an hour, so the time of others is exact to an hour. */
function makeActivityColumn(userId: string | undefined): Column<Member> {
  return {
    label: "Last active",
    visibleFrom: "lg",
    cell: ({ user_id, last_active_at }) => {
      if (user_id !== null && user_id === userId) return "Active now";
      return last_active_at ? <TimeAgo time={last_active_at} /> : "–";
    },
  };
}

const lastColumns: Column<Member>[] = [
  {
    label: "Joined",
    visibleFrom: "sm",
    cell: ({ state, created_at }) => state === "active" ? <TimeAgo time={created_at} /> : "–",
  },
  { label: "Actions", align: "right", cell: (member) => <MemberMenu member={member} /> },
];

/** The state of an invitation, and in small who sent it and until when it is open. */
function InvitationFacts({ invitation }: { invitation: Member }) {
  const { state, expires_at, created_at, invited_by } = invitation;
  const isOpen = state === "invited" && !isOver(expires_at);
  return (
    <>
      <InvitationBadge state={state} expires_at={expires_at} />
      <Text size="xs" c="dimmed" mt={2}>
        {invited_by && (
          <>
            By <bdi className="break-anywhere">{invited_by}</bdi>,{" "}
          </>
        )}
        {isOpen ? "expires" : "sent"} <TimeAgo time={isOpen ? expires_at : created_at} />
      </Text>
    </>
  );
}

function InvitationBadge({ state, expires_at }: Pick<Member, "state" | "expires_at">) {
  if (state === "active") return null;
  if (state === "declined") return <Badge color="gray">Declined</Badge>;
  return isOver(expires_at)
    ? <Badge color="gray">Invitation expired</Badge>
    : <Badge color="yellow">Invited</Badge>;
}

export function TeamPage() {
  const members = useApiList("GET /members", {});
  const [isInviting, { open, close }] = useDraftDialog("invitation:new");
  const isAdmin = useMay("admin");
  const userId = useSession(useServices().session)?.user.id;
  const columns = useMemo(() => makeColumns(isAdmin, userId), [isAdmin, userId]);
  return (
    <Page
      title="Team"
      description="People with access to this workspace."
      actions={isAdmin && <Button leftSection={<PersonAddIcon />} onClick={open}>Invite</Button>}
    >
      <ListTable
        label="Team"
        list={members}
        columns={columns}
        empty={
          <EmptyState icon={PeopleIcon} title="No members">
            Invite a colleague by email address.
          </EmptyState>
        }
      />
      <InviteModal isOpen={isInviting} close={close} />
    </Page>
  );
}
