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
import { codeOf, useAuthAction } from "./use_auth_action.ts";

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
      remedy={signIn.error && (
        <Remedy code={codeOf(signIn.error)} email={form.values.email.trim()} next={next} />
      )}
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

interface RemedyProps {
  code: unknown;
  email: string;
  next: string | undefined;
}

/** Leads on from a refused sign-in. A wrong password and an unknown address look the same. */
function Remedy({ code, email, next }: RemedyProps) {
  const signUp = <Anchor {...linkTo("/sign-up", { next })} size="sm">Create an account</Anchor>;
  if (code === "email_not_confirmed") {
    return (
      <Anchor {...linkTo("/sign-up", { next })} size="sm">Sign up again for a new link</Anchor>
    );
  }
  if (code !== "invalid_credentials") return null;
  return (
    <>
      <Anchor {...linkTo("/forgot-password", { email })} size="sm">Reset the password</Anchor>
      {signUp}
    </>
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
