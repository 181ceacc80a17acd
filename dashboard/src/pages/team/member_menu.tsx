import { ActionIcon, Menu, Text } from "@mantine/core";
import {
  CheckIcon,
  KebabHorizontalIcon,
  LinkIcon,
  SyncIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import type { Member, Role } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../components/confirm_modal.tsx";
import { showError } from "../../components/show_error.ts";
import { useOpener } from "../../components/use_opener.ts";
import { useMay } from "../../workspace.ts";
import { invitationLink, isOver } from "./invitation.ts";
import { ROLES } from "./roles.ts";

export function MemberMenu({ member }: { member: Member }) {
  const isOwner = useMay("owner");
  const isAdmin = useMay("admin");
  const { opener, giveBack } = useOpener();
  const [isRemoving, { open, close }] = useDisclosure(false, { onClose: giveBack });
  const isInvited = member.state === "invited";
  const params = { id: member.id };
  const setRole = useApiAction(
    "PATCH /members/{id}",
    (role: Role) => ({ params, body: { role } }),
    {
      onError: showError,
    },
  );
  const remove = useApiAction("DELETE /members/{id}", () => ({ params }), { onSuccess: close });
  if (!isAdmin || (member.role === "owner" && !isOwner)) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            ref={opener}
            variant="subtle"
            color="gray"
            aria-label={`Actions for ${member.email}`}
          >
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Role</Menu.Label>
          {(Object.keys(ROLES) as Role[]).filter((role) => isOwner || role !== "owner").map((
            role,
          ) => (
            <Menu.Item
              key={role}
              tt="capitalize"
              rightSection={role === member.role && <CheckIcon />}
              onClick={() => setRole.mutate(role)}
            >
              {role}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {isInvited && <InvitationItem member={member} />}
          <Menu.Item color="red" leftSection={<TrashIcon />} onClick={open}>
            {isInvited ? "Withdraw" : "Remove"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmModal
        isOpen={isRemoving}
        close={close}
        title={isInvited ? "Withdraw this invitation?" : "Remove from the team?"}
        confirmLabel={isInvited ? "Withdraw" : "Remove"}
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          <b>{member.email}</b> {isInvited
            ? "can no longer join by this invitation."
            : "loses access to this workspace at once."}
        </Text>
      </ConfirmModal>
    </>
  );
}

/** What can be done so that somebody joins by their invitation. */
function InvitationItem({ member: { email, role, expires_at } }: { member: Member }) {
  const address = email ?? "";
  const clipboard = useClipboard();
  const invite = useApiAction("POST /members", () => ({ body: { email: address, role } }), {
    onError: showError,
  });
  if (isOver(expires_at)) {
    return (
      <Menu.Item leftSection={<SyncIcon />} onClick={() => invite.mutate()}>Invite again</Menu.Item>
    );
  }
  return (
    <Menu.Item
      leftSection={<LinkIcon />}
      onClick={() => clipboard.copy(invitationLink(address))}
    >
      Copy the link
    </Menu.Item>
  );
}
