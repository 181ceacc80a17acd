import { Alert, Button, Group, Paper, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { AlertIcon } from "@primer/octicons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { checkCode, checkNewPassword, checkPassword } from "../auth/credentials.ts";
import { explainAuthError } from "../auth/use_auth_action.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

interface PasswordChange {
  current: string;
  password: string;
  code: string;
}

const empty: PasswordChange = { current: "", password: "", code: "" };

/** Changes the password, and ends all other sessions. */
export function PasswordPanel() {
  const { session } = useServices();
  const email = useSession(session)?.user.email ?? "";
  const { change, needsCode } = usePasswordChange(email);
  const form = useForm({
    initialValues: empty,
    validate: {
      current: checkPassword,
      password: checkNewPassword,
      code: (text) => needsCode ? checkCode(text) : null,
    },
  });
  const onSuccess = () => {
    form.reset();
    notifications.show({ message: "Password changed", color: "teal" });
  };
  return (
    <Paper p="lg">
      <Title order={2} size="h4" mb="md">Password</Title>
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values, { onSuccess }))}>
        <Stack>
          {/* For password managers. */}
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps("current")}
          />
          <PasswordInput
            label="New password"
            description="At least 8 characters. You’ll be signed out on all other devices."
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
          {needsCode && (
            <TextInput
              label="Code"
              description={`We sent it to ${email}`}
              inputMode="numeric"
              autoComplete="one-time-code"
              {...form.getInputProps("code")}
            />
          )}
          {change.error && (
            <Alert color="red" icon={<AlertIcon />} role="alert">{change.error.message}</Alert>
          )}
          <Group>
            <Button type="submit" loading={change.isPending}>Change password</Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function usePasswordChange(email: string) {
  const { loadAuth, config } = useServices();
  const queries = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const change = useSingleMutation({
    mutationFn: async ({ current, password, code }: PasswordChange) => {
      const auth = await loadAuth();
      const { tryPassword } = await import("../../api/auth_client.ts");
      const wrong = await tryPassword(config, { email, password: current });
      if (wrong) throw explainTrial(wrong);
      const nonce = code.trim();
      const { error } = await auth.updateUser({ password, ...nonce ? { nonce } : {} });
      if (error?.code === "reauthentication_needed") {
        const { error: unsent } = await auth.reauthenticate();
        if (unsent) throw explainAuthError(unsent);
        setNeedsCode(true);
        throw new Error("Enter the code that we sent you to confirm the change");
      }
      if (error) throw explainAuthError(error);
      setNeedsCode(false);
      const { error: left } = await auth.signOut({ scope: "others" });
      if (left) {
        throw new Error("The password has changed, but you may still be signed in elsewhere", {
          cause: left,
        });
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return { change, needsCode };
}

function explainTrial(error: Error): Error {
  const isWrong = "code" in error && error.code === "invalid_credentials";
  return isWrong ? new Error("The current password is wrong") : explainAuthError(error);
}
