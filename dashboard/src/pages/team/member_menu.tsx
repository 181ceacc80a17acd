import { ActionIcon, Menu, Text } from "@mantine/core";
import { CheckIcon, KebabHorizontalIcon, LinkIcon, TrashIcon } from "@primer/octicons-react";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { Member, Role } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../components/confirm_modal.tsx";
import { useOpener } from "../../components/use_opener.ts";
import { useMay } from "../../workspace.ts";
import { invitationLink } from "./invitation_link.ts";
import { ROLES } from "./roles.ts";

export function MemberMenu({ member }: { member: Member }) {
  const isOwner = useMay("owner");
  const isAdmin = useMay("admin");
  const clipboard = useClipboard();
  const { opener, giveBack } = useOpener();
  const [isRemoving, { open, close }] = useDisclosure(false, { onClose: giveBack });
  const params = { id: member.id };
  const setRole = useApiAction(
    "PATCH /members/{id}",
    (role: Role) => ({ params, body: { role } }),
    {
      onError: ({ message }) => notifications.show({ message, color: "red" }),
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
          {member.state === "invited" && (
            <Menu.Item
              leftSection={<LinkIcon />}
              onClick={() => clipboard.copy(invitationLink(member.email ?? ""))}
            >
              Copy the link
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<TrashIcon />} onClick={open}>
            {member.state === "invited" ? "Withdraw" : "Remove"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmModal
        isOpen={isRemoving}
        close={close}
        title={member.state === "invited" ? "Withdraw this invitation?" : "Remove from the team?"}
        confirmLabel={member.state === "invited" ? "Withdraw" : "Remove"}
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          <b>{member.email}</b> loses access to this workspace at once.
        </Text>
      </ConfirmModal>
    </>
  );
}
