import { ActionIcon, Button, Group, Text } from "@mantine/core";
import {
  CheckIcon,
  KebabHorizontalIcon,
  LinkIcon,
  MailIcon,
  SyncIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import type { Member, Role } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { CopyTextButton } from "../../ui/copy_text_button.tsx";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { showError } from "../../ui/show_error.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { useMay } from "../../api/workspace.ts";
import { invitationLink, isOver, roleTexts } from "./members.ts";
import { showMail, useHasSender, useResend } from "./use_mail.ts";
import { Menu } from "../../ui/overlays.tsx";

const removalTexts: Record<Member["state"], { title: string; text: string }> = {
  active: {
    title: "Remove from the team?",
    text: "loses access to this workspace immediately.",
  },
  invited: {
    title: "Withdraw this invitation?",
    text: "can no longer use this invitation to join.",
  },
  declined: {
    title: "Remove this invitation?",
    text: "declined this invitation. It disappears from the list.",
  },
};

export function MemberMenu({ member }: { member: Member }) {
  const isOwner = useMay("owner");
  const isAdmin = useMay("admin");
  const { opener, giveBack } = useOpener();
  const [isRemoving, { open, close }] = useDisclosure(false, { onClose: giveBack });
  const isInvited = member.state !== "active";
  // There is nothing left to withdraw, only an entry of the list to remove.
  const isDeclined = member.state === "declined";
  const removal = isInvited && !isDeclined ? "Withdraw" : "Remove";
  const params = { id: member.id };
  const setRole = useApiAction(
    "PATCH /members/{id}",
    (role: Role) => ({ params, body: { role } }),
    {
      onError: showError,
    },
  );
  const remove = useApiAction("DELETE /members/{id}", () => ({ params }), { onSuccess: close });
  // Admins may withdraw an invitation to become an owner, and nothing else.
  const mayChange = isOwner || member.role !== "owner";
  if (!isAdmin || (!mayChange && !isInvited)) return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {mayChange && member.state === "invited" && !isOver(member.expires_at) && (
        <Group visibleFrom="md" gap="xs" wrap="nowrap">
          <ResendButton id={member.id} />
          <CopyTextButton value={invitationLink(member.email ?? "")} label="Copy link" />
        </Group>
      )}
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
          {mayChange && !isDeclined && <RoleItems member={member} setRole={setRole.mutate} />}
          {mayChange && isInvited && <InvitationItems member={member} />}
          <Menu.Item className="danger-item" leftSection={<TrashIcon />} onClick={open}>
            {removal}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmModal
        isOpen={isRemoving}
        close={close}
        title={removalTexts[member.state].title}
        confirmLabel={removal}
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          <b dir="auto">{member.email}</b> {removalTexts[member.state].text}
        </Text>
      </ConfirmModal>
    </Group>
  );
}

/** The roles that the user may assign. */
function RoleItems({ member, setRole }: { member: Member; setRole: (role: Role) => void }) {
  const isOwner = useMay("owner");
  const roles = (Object.keys(roleTexts) as Role[]).filter((role) => isOwner || role !== "owner");
  return (
    <>
      <Menu.Label>Role</Menu.Label>
      {roles.map((role) => (
        <Menu.Item
          key={role}
          maw={320}
          rightSection={role === member.role && <CheckIcon />}
          onClick={() => setRole(role)}
        >
          <Text size="sm" tt="capitalize">{role}</Text>
          <Text size="xs" c="dimmed">{roleTexts[role]}</Text>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}

/** Emails an open invitation again, if a sender can. */
function ResendButton({ id }: { id: string }) {
  const hasSender = useHasSender();
  const resend = useResend(id);
  if (!hasSender) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<MailIcon />}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
    >
      Resend
    </Button>
  );
}

/** Emails an open invitation again or copies its link; renews one that is over. */
function InvitationItems({ member: { id, email, role, state, expires_at } }: { member: Member }) {
  const address = email ?? "";
  const clipboard = useClipboard();
  const hasSender = useHasSender();
  const resend = useResend(id);
  const invite = useApiAction(
    "POST /members",
    () => ({ body: { email: address, role, dashboard_url: location.origin } }),
    { onSuccess: showMail, onError: showError },
  );
  if (state === "declined" || isOver(expires_at)) {
    return (
      <Menu.Item leftSection={<SyncIcon />} onClick={() => invite.mutate()}>Invite again</Menu.Item>
    );
  }
  return (
    <>
      {hasSender && (
        <Menu.Item leftSection={<MailIcon />} onClick={() => resend.mutate()}>
          Resend invitation
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<LinkIcon />}
        onClick={() => clipboard.copy(invitationLink(address))}
      >
        Copy link
      </Menu.Item>
    </>
  );
}
