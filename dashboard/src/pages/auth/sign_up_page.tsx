import { Anchor, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { MailIcon } from "@primer/octicons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkEmail, checkNewPassword, safeNext } from "./credentials.ts";
import { useAuthAction } from "./use_auth_action.ts";

/** Also the target of invitation links: an invitation belongs to an email address. */
export function SignUpPage() {
  const { next, email = "" } = useSearch({ from: "/auth/sign-up" });
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { email, password: "" },
    validate: { email: checkEmail, password: checkNewPassword },
  });
  const signUp = useAuthAction((auth, input: typeof form.values) =>
    auth.signUp({ ...input, options: { emailRedirectTo: location.origin } })
  );
  const submit = form.onSubmit((values) =>
    signUp.mutate(values, {
      onSuccess: ({ session }) => {
        if (session === null) return;
        const href = safeNext(next);
        if (href === "/") void navigate({ to: "/", state: { isNew: true } });
        else void navigate({ href });
      },
    })
  );
  if (signUp.data && !signUp.data.session) {
    return (
      <EmptyState icon={MailIcon} title="Confirm your email">
        We sent a link to {form.values.email}. Open it in this browser to continue.
      </EmptyState>
    );
  }
  return (
    <AuthForm
      title={email ? "You have been invited" : "Create your account"}
      text={email
        ? "Sign up with this email address, then accept the invitation."
        : "You’ll get your own workspace, ready for its first event."}
      submitLabel="Sign up"
      action={signUp}
      onSubmit={submit}
      footer={
        <>
          Already have an account?{" "}
          <Anchor {...linkTo("/sign-in", { next })} inherit>Sign in</Anchor>
        </>
      }
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus={email === ""}
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label="Password"
        description="At least 8 characters"
        autoComplete="new-password"
        autoFocus={email !== ""}
        {...form.getInputProps("password")}
      />
    </AuthForm>
  );
}
