import { Anchor, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSearch } from "@tanstack/react-router";
import { linkTo } from "../../ui/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkEmail } from "./credentials.ts";
import { EnterCodeForm } from "./enter_code_form.tsx";
import { useAuthAction } from "./use_auth_action.ts";

export function ForgotPasswordPage() {
  const { email = "" } = useSearch({ from: "/auth/forgot-password" });
  const form = useForm({ initialValues: { email }, validate: { email: checkEmail } });
  const send = useAuthAction(async (auth, { email }: typeof form.values) => {
    const redirectTo = `${location.origin}/reset-password`;
    const response = await auth.resetPasswordForEmail(email.trim(), { redirectTo });
    // Only known addresses get this error, and the first email is on its way.
    return response.error?.code === "over_email_send_rate_limit"
      ? { data: {}, error: null }
      : response;
  });
  if (send.isSuccess) {
    return <EnterCodeForm email={form.values.email.trim()} askAgain={send.reset} />;
  }
  return (
    <AuthForm
      title="Forgot your password?"
      text="We’ll email you a code to choose a new one."
      submitLabel="Send code"
      action={send}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
      footer={<Anchor {...linkTo("/sign-in")} inherit>Back to sign in</Anchor>}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        {...form.getInputProps("email")}
      />
    </AuthForm>
  );
}
