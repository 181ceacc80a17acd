import { Anchor, Group, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { linkTo } from "../components/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkEmail, checkPassword, safeNext } from "./credentials.ts";
import { useAuthAction } from "./use_auth_action.ts";

export function SignInPage() {
  const { next } = useSearch({ from: "/auth/sign-in" });
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: { email: checkEmail, password: checkPassword },
  });
  const signIn = useAuthAction((auth, input: typeof form.values) => auth.signInWithPassword(input));
  const submit = form.onSubmit((values) =>
    signIn.mutate(values, { onSuccess: () => void navigate({ href: safeNext(next) }) })
  );
  return (
    <AuthForm
      title="Sign in"
      text="Welcome back."
      submitLabel="Sign in"
      action={signIn}
      onSubmit={submit}
      footer={
        <>
          No account yet? <Anchor {...linkTo("/sign-up", { next })} inherit>Sign up</Anchor>
        </>
      }
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        {...form.getInputProps("password")}
      />
      <Group justify="flex-end">
        <Anchor {...linkTo("/forgot-password")} size="sm">Forgot your password?</Anchor>
      </Group>
    </AuthForm>
  );
}
