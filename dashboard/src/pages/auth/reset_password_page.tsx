import { Anchor, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { UnlinkIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useServices } from "../../api/services.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkNewPassword } from "./credentials.ts";
import { useSession } from "../../api/session.ts";
import { useAuthAction } from "./use_auth_action.ts";

/** Target of the link in an email, if it has one. Opening the link signs the user in. */
export function ResetPasswordPage() {
  const { session } = useServices();
  const isSignedIn = useSession(session) !== null;
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: checkNewPassword },
  });
  const save = useAuthAction((auth, input: typeof form.values) => auth.updateUser(input));
  if (!isSignedIn) {
    return (
      <EmptyState
        icon={UnlinkIcon}
        title="This link doesn’t work"
        order={1}
        action={<Anchor {...linkTo("/forgot-password")}>Get a new code</Anchor>}
      >
        It has expired, was already used, or was opened in a different browser from the one that
        requested it.
      </EmptyState>
    );
  }
  return (
    <AuthForm
      title="Choose a new password"
      text="It replaces the old one immediately."
      submitLabel="Save and continue"
      action={save}
      onSubmit={form.onSubmit((values) =>
        save.mutate(values, { onSuccess: () => void navigate({ to: "/" }) })
      )}
      footer={null}
    >
      <PasswordInput
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
    </AuthForm>
  );
}
