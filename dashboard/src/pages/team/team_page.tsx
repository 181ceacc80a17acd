import { Avatar, Badge, Button, Group, Text } from "@mantine/core";
import { PeopleIcon, PersonAddIcon } from "@primer/octicons-react";
import type { Member } from "../../api/types.ts";
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

const tableColumns: Column<Member>[] = [
  {
    label: "Member",
    cell: ({ email, state, expires_at }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size={32} name={email ?? ""} color="initials" alt="" />
        <div>
          <Text size="sm" fw={550} className="break-anywhere">{email ?? "Deleted account"}</Text>
          <InvitationBadge state={state} expires_at={expires_at} />
        </div>
      </Group>
    ),
  },
  {
    label: "Role",
    cell: ({ role }) => (
      <>
        <Text size="sm" fw={550} tt="capitalize">{role}</Text>
        <Text size="xs" c="dimmed" visibleFrom="sm">{roleTexts[role]}</Text>
      </>
    ),
  },
  { label: "Added", visibleFrom: "sm", cell: (member) => <TimeAgo time={member.created_at} /> },
  { label: "Actions", align: "right", cell: (member) => <MemberMenu member={member} /> },
];

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
  return (
    <Page
      title="Team"
      description="People with access to this workspace."
      actions={isAdmin && <Button leftSection={<PersonAddIcon />} onClick={open}>Invite</Button>}
    >
      <ListTable
        label="Team"
        list={members}
        columns={tableColumns}
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
