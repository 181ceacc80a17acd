import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { CheckIcon, MailIcon } from "@primer/octicons-react";
import type { InvitedMember, Role } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { invitationLink, invitationMail, roleOptions, roleTexts } from "./members.ts";
import { unsentTexts } from "./use_mail.ts";
import { Select } from "../../ui/overlays.tsx";

export function InviteModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const isOwner = useMay("owner");
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "invitation:new",
    schema: "newMember",
    initialValues: { email: "", role: "member" },
    toBody: ({ email, role }) => ({
      email: email.trim(),
      role,
      dashboard_url: location.origin,
    }),
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

/** Says whether the invitation is emailed, and offers its link. */
function Invited({ member }: { member: InvitedMember }) {
  const { name } = useWorkspace();
  const address = member.email ?? "";
  const isMailed = member.mail === "queued";
  return (
    <Stack>
      <MailResult member={member} />
      <Text size="sm">
        {isMailed ? "You can also send this link to" : "Send this link to"}{" "}
        <b dir="auto">{address}</b>. They sign up or sign in with that address and accept. The
        invitation is open for {retentionDays.invitations}{" "}
        days. People with an account also see it in their dashboard.
      </Text>
      <IdText value={invitationLink(address)} label="invitation link" />
      {!isMailed && (
        <Button
          component="a"
          href={invitationMail(address, name)}
          variant="default"
          leftSection={<MailIcon />}
          style={{ alignSelf: "flex-start" }}
        >
          Open in your email app
        </Button>
      )}
    </Stack>
  );
}

function MailResult({ member: { email, mail, send_id } }: { member: InvitedMember }) {
  const { id } = useWorkspace();
  if (mail === "queued") {
    return (
      <Alert color="teal" icon={<CheckIcon />} title="Invitation emailed">
        It goes to <b dir="auto">{email}</b>.{" "}
        <Anchor {...linkTo(`/w/${id}/sends/${send_id}`)} size="sm">View the email</Anchor>
      </Alert>
    );
  }
  return (
    <Alert color="yellow" icon={<MailIcon />} title="Not emailed">
      {unsentTexts[mail]} {mail === "no_sender" && (
        <>
          <Anchor {...linkTo(`/w/${id}/senders`)} size="sm">Add a sender</Anchor>{" "}
          and invitations are emailed.
        </>
      )}
    </Alert>
  );
}
