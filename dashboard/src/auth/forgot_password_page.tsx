import { Anchor, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { MailIcon } from "@primer/octicons-react";
import { EmptyState } from "../components/empty_state.tsx";
import { linkTo } from "../components/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkEmail } from "./credentials.ts";
import { useAuthAction } from "./use_auth_action.ts";

export function ForgotPasswordPage() {
  const form = useForm({
    initialValues: { email: "" },
    validate: { email: checkEmail },
  });
  const send = useAuthAction((auth, { email }: typeof form.values) =>
    auth.resetPasswordForEmail(email, { redirectTo: `${location.origin}/reset-password` })
  );
  if (send.isSuccess) {
    return (
      <EmptyState
        icon={MailIcon}
        title="Look into your mailbox"
        action={<Anchor {...linkTo("/sign-in")} size="sm">Back to sign in</Anchor>}
      >
        If {form.values.email}{" "}
        has an account, a link to choose a new password is on its way. Open it in this browser.
      </EmptyState>
    );
  }
  return (
    <AuthForm
      title="Forgot your password?"
      text="We send you a link to choose a new one."
      submitLabel="Send the link"
      action={send}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
      footer={<Anchor {...linkTo("/sign-in")} inherit>Back to sign in</Anchor>}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        {...form.getInputProps("email")}
      />
    </AuthForm>
  );
}
