import { Anchor, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { linkTo } from "../components/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkEmail } from "./credentials.ts";
import { EnterCodeForm } from "./enter_code_form.tsx";
import { useAuthAction } from "./use_auth_action.ts";

export function ForgotPasswordPage() {
  const form = useForm({ initialValues: { email: "" }, validate: { email: checkEmail } });
  const send = useAuthAction((auth, { email }: typeof form.values) =>
    auth.resetPasswordForEmail(email.trim(), {
      redirectTo: `${location.origin}/reset-password`,
    })
  );
  if (send.isSuccess) return <EnterCodeForm email={form.values.email.trim()} />;
  return (
    <AuthForm
      title="Forgot your password?"
      text="We send you a code to choose a new one."
      submitLabel="Send the code"
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
