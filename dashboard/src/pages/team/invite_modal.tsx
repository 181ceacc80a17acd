import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import type { Member, Role } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { invitationLink, invitationMail, roleOptions, roleTexts } from "./members.ts";
import { Select } from "../../ui/overlays.tsx";

export function InviteModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const isOwner = useMay("owner");
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "invitation:new",
    schema: "newMember",
    initialValues: { email: "", role: "member" },
    toBody: ({ email, role }) => ({ email: email.trim(), role }),
  });
  const invite = useApiAction("POST /members", (body: ApiBody<"POST /members">) => ({ body }));
  const forget = () => {
    invite.reset();
    form.reset();
  };
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Invite to the team"
      submitLabel="Invite"
      onSubmit={submitTo(invite)}
      isPending={invite.isPending}
      error={generalError(invite.error)}
      draft={draft}
      result={invite.data && <Invited member={invite.data} />}
      onClosed={forget}
    >
      <TextInput label="Email" type="email" data-autofocus {...form.getInputProps("email")} />
      <Select
        label="Role"
        data={roleOptions.filter(({ value }) => isOwner || value !== "owner")}
        description={roleTexts[form.values.role as Role]}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">{roleTexts[option.value as Role]}</Text>
          </div>
        )}
        allowDeselect={false}
        {...form.getInputProps("role")}
      />
    </FormModal>
  );
}

function Invited({ member }: { member: Member }) {
  const { name } = useWorkspace();
  return (
    <Stack>
      <Text size="sm">
        Send this link to{" "}
        <b dir="auto">{member.email}</b>. They sign up or sign in with that address and accept. The
        invitation is open for {retentionDays.invitations}{" "}
        days. People with an account also see it in their dashboard.
      </Text>
      <IdText value={invitationLink(member.email ?? "")} label="invitation link" />
      <Button
        component="a"
        href={invitationMail(member.email ?? "", name)}
        variant="default"
        leftSection={<MailIcon />}
        style={{ alignSelf: "flex-start" }}
      >
        Open in your email app
      </Button>
    </Stack>
  );
}
