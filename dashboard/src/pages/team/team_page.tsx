import "./team.css";
import { Anchor, Avatar, Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { PeopleIcon, PersonAddIcon } from "@primer/octicons-react";
import { type ReactNode, useMemo } from "react";
import type { Member } from "../../api/types.ts";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { isOver, roleOptions, roleTexts } from "./members.ts";
import { MemberMenu } from "./member_menu.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const InviteModal = lateDialog(async () => (await import("./invite_modal.tsx")).InviteModal);

/** Members, and above them the invitations that nobody has accepted yet. */
export function TeamPage() {
  const members = useApiList("GET /members", { query: { joined: "true" } });
  const invitations = useApiList("GET /members", { query: { joined: "false" } });
  const [isInviting, { open, close }] = useDraftDialog("invitation:new");
  const isAdmin = useMay("admin");
  const { id } = useWorkspace();
  const userId = useSession(useServices().session)?.user.id;
  const columns = useMemo(() => makeColumns(isAdmin, userId), [isAdmin, userId]);
  const invitationColumns = useMemo(() => makeInvitationColumns(id), [id]);
  const hasInvitations = listRows(invitations).length > 0;
  return (
    <Page
      title="Team"
      description="People with access to this workspace."
      actions={isAdmin && <Button leftSection={<PersonAddIcon />} onClick={open}>Invite</Button>}
    >
      <Stack gap="xl">
        {hasInvitations && (
          <Stack gap="sm">
            <Title order={2} size="h4">Invitations</Title>
            <ListTable
              label="Invitations"
              list={invitations}
              columns={invitationColumns}
              empty={null}
            />
          </Stack>
        )}
        <Stack gap="sm">
          {hasInvitations && <Title order={2} size="h4">Members</Title>}
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
        </Stack>
        <Roles />
      </Stack>
      <InviteModal isOpen={isInviting} close={close} />
    </Page>
  );
}

/** Says what each role may do; each may also do what the ones below it may. */
function Roles() {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">Roles</Title>
      <Paper p="md">
        <dl className="role-list">
          {roleOptions.map(({ value, label }) => (
            <div key={value}>
              <Text component="dt" size="sm" fw={550}>{label}</Text>
              <Text component="dd" size="sm" c="dimmed" m={0}>{roleTexts[value]}</Text>
            </div>
          ))}
        </dl>
      </Paper>
    </Stack>
  );
}

/**
 * @param isAdmin true for those who may see when members were active
 * @param userId the person who reads the list
 */
function makeColumns(isAdmin: boolean, userId: string | undefined): Column<Member>[] {
  const activity = isAdmin ? [makeActivityColumn(userId)] : [];
  return [
    {
      label: "Member",
      cell: ({ email, user_id }) => (
        <Person email={email}>
          {user_id === userId && <Text size="xs" c="dimmed">You</Text>}
        </Person>
      ),
    },
    roleColumn,
    ...activity,
    {
      label: "Joined",
      visibleFrom: "md",
      cell: ({ created_at }) => <TimeAgo time={created_at} />,
    },
    actionColumn,
  ];
}

function makeInvitationColumns(workspaceId: string): Column<Member>[] {
  return [
    {
      label: "Invited person",
      cell: (member) => (
        <Person email={member.email}>
          <InvitationFacts invitation={member} />
        </Person>
      ),
    },
    roleColumn,
    {
      label: "Emailed",
      visibleFrom: "lg",
      cell: ({ mailed_at, send_id }) =>
        mailed_at === null
          ? <Text size="sm" c="dimmed">Not emailed</Text>
          : (
            <Anchor {...linkTo(`/w/${workspaceId}/sends/${send_id}`)} size="sm">
              <TimeAgo time={mailed_at} />
            </Anchor>
          ),
    },
    {
      label: "Expires",
      visibleFrom: "sm",
      cell: ({ state, expires_at }) => state === "invited" ? <TimeAgo time={expires_at} /> : "–",
    },
    actionColumn,
  ];
}

function Person({ email, children }: { email: string | null; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar size={32} name={email ?? ""} color="initials" alt="" />
      <div>
        <Text size="sm" fw={550} className="break-anywhere">{email ?? "Deleted account"}</Text>
        {children}
      </div>
    </Group>
  );
}

const roleColumn: Column<Member> = {
  label: "Role",
  cell: ({ role }) => <Text size="sm" tt="capitalize">{role}</Text>,
};

const actionColumn: Column<Member> = {
  label: "Actions",
  align: "right",
  cell: (member) => <MemberMenu member={member} />,
};

/** Auth renews a session about once an hour, so the time of others is exact to an hour. */
function makeActivityColumn(userId: string | undefined): Column<Member> {
  return {
    label: "Last active",
    visibleFrom: "sm",
    cell: ({ user_id, last_active_at }) => {
      if (user_id === userId) return "Active now";
      return last_active_at
        ? <TimeAgo time={last_active_at} />
        : <Text size="sm" c="dimmed">Signed out</Text>;
    },
  };
}

/** The state of an invitation, and in small who sent it; on a phone also until when it is open. */
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
        sent <TimeAgo time={created_at} />
      </Text>
      {isOpen && (
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          Expires <TimeAgo time={expires_at} />
        </Text>
      )}
    </>
  );
}

function InvitationBadge({ state, expires_at }: Pick<Member, "state" | "expires_at">) {
  if (state === "declined") return <Badge color="gray">Declined</Badge>;
  return isOver(expires_at)
    ? <Badge color="gray">Invitation expired</Badge>
    : <Badge color="yellow">Invited</Badge>;
}
