import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { newMember } from "../../api/schemas.ts";
import type { Member } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { useMay } from "../../api/workspace.ts";
import { invitationLink, ROLE_OPTIONS } from "./members.ts";

export function InviteModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const isOwner = useMay("owner");
  const { form, submitTo } = useApiForm({
    schema: newMember,
    initialValues: { email: "", role: "member" },
    toBody: ({ email, role }) => ({ email: email.trim(), role }),
  });
  const invite = useApiAction("POST /members", (body: ApiBody<"POST /members">) => ({ body }));
  const forget = () => {
    invite.reset();
    form.reset();
  };
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={forget} title="Invite to the team">
      {invite.data
        ? <Invited member={invite.data} close={close} />
        : (
          <form onSubmit={submitTo(invite)} noValidate>
            <Stack>
              <TextInput
                label="E-mail"
                type="email"
                data-autofocus
                {...form.getInputProps("email")}
              />
              <Select
                label="Role"
                data={ROLE_OPTIONS.filter(({ value }) => isOwner || value !== "owner")}
                allowDeselect={false}
                {...form.getInputProps("role")}
              />
              {invite.error && <ErrorState error={invite.error} />}
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>Cancel</Button>
                <Button type="submit" loading={invite.isPending}>Invite</Button>
              </Group>
            </Stack>
          </form>
        )}
    </Modal>
  );
}

function Invited({ member, close }: { member: Member; close: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Send this link to{" "}
        <b>{member.email}</b>. They sign up or sign in with that address and accept. The invitation
        is open for 30 days; people with an account also find it in their dashboard.
      </Text>
      <IdText value={invitationLink(member.email ?? "")} label="the invitation link" />
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  );
}
