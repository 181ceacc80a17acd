import { Anchor, Group, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { linkTo } from "../../ui/link_to.ts";
import { AuthForm } from "./auth_form.tsx";
import { checkCode, checkNewPassword } from "./credentials.ts";
import { useAuthAction } from "./use_auth_action.ts";

/** Takes the emailed code and a new password. Secrets never appear in an address. */
export function EnterCodeForm({ email, askAgain }: { email: string; askAgain: () => void }) {
  const navigate = useNavigate();
  const isVerified = useRef(false);
  const form = useForm({
    initialValues: { code: "", password: "" },
    validate: { code: checkCode, password: checkNewPassword },
  });
  const save = useAuthAction(async (auth, { code, password }: typeof form.values) => {
    // A code works once: after a refused password, only the password is sent again.
    if (!isVerified.current) {
      const verified = await auth.verifyOtp({ email, token: code.trim(), type: "recovery" });
      if (verified.error) return verified;
      isVerified.current = true;
    }
    return await auth.updateUser({ password });
  });
  return (
    <AuthForm
      title="Check your email"
      text={`If ${email} has an account, we sent it a code.`}
      submitLabel="Save and continue"
      action={save}
      onSubmit={form.onSubmit((values) =>
        save.mutate(values, { onSuccess: () => void navigate({ to: "/" }) })
      )}
      footer={
        <Group justify="center" gap="lg">
          <Anchor component="button" type="button" onClick={askAgain} inherit>
            Get a new code
          </Anchor>
          <Anchor {...linkTo("/sign-in")} inherit>Back to sign in</Anchor>
        </Group>
      }
    >
      <TextInput
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.getInputProps("code")}
      />
      <PasswordInput
        label="New password"
        description="At least 8 characters"
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
    </AuthForm>
  );
}
