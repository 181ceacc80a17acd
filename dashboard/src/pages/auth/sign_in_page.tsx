import { Anchor, Group, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { linkTo } from "../../ui/link_to.ts";
import { useServices } from "../../api/services.ts";
import { AuthForm } from "./auth_form.tsx";
import { hasStoredDrafts } from "../../api/stored_drafts.ts";
import { checkEmail, checkPassword, safeNext } from "./credentials.ts";
import { useSession } from "../../api/session.ts";
import { useAuthAction } from "./use_auth_action.ts";

export function SignInPage() {
  const { next } = useSearch({ from: "/auth/sign-in" });
  const { session } = useServices();
  const isSignedIn = useSession(session) !== null;
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: { email: checkEmail, password: checkPassword },
  });
  const signIn = useAuthAction((auth, input: typeof form.values) => auth.signInWithPassword(input));
  // Here or in another tab.
  useEffect(() => {
    if (isSignedIn) void navigate({ href: safeNext(next), replace: true });
  }, [isSignedIn]);
  return (
    <AuthForm
      title="Sign in"
      text={next ? describeReturn(session.hasEnded()) : "Welcome back."}
      submitLabel="Sign in"
      action={signIn}
      onSubmit={form.onSubmit((values) => signIn.mutate(values))}
      footer={
        <>
          No account yet? <Anchor {...linkTo("/sign-up", { next })} inherit>Sign up</Anchor>
        </>
      }
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
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

/** Says why to sign in, and that drafts are not lost. */
function describeReturn(hasEnded: boolean): string {
  return [
    hasEnded && "Your session has ended.",
    hasStoredDrafts() && "Your unsaved changes are kept.",
    "Sign in to continue where you left off.",
  ].filter(Boolean).join(" ");
}
