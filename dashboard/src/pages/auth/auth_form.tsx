import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode, SubmitEvent } from "react";

interface AuthFormProps {
  title: string;
  text: ReactNode;
  submitLabel: string;
  action: { isPending: boolean; error: Error | null };
  /** Ways on from the error, in its place. */
  remedy?: ReactNode;
  onSubmit: (event?: SubmitEvent<HTMLFormElement>) => void;
  children: ReactNode;
  footer: ReactNode;
}

export function AuthForm(props: AuthFormProps) {
  useDocumentTitle(`${props.title} · Signalpost`);
  return (
    <form onSubmit={props.onSubmit} noValidate>
      <Stack>
        <div>
          <Title order={1} size="h3">{props.title}</Title>
          <Text size="sm" c="dimmed" mt={4}>{props.text}</Text>
        </div>
        {props.action.error && (
          <Alert color="red" icon={<AlertIcon />} role="alert">
            <Text size="sm">{props.action.error.message}</Text>
            {props.remedy && <Group gap="md" mt="xs">{props.remedy}</Group>}
          </Alert>
        )}
        {props.children}
        <Button type="submit" fullWidth loading={props.action.isPending}>
          {props.submitLabel}
        </Button>
        <Text size="sm" ta="center" component="div">{props.footer}</Text>
      </Stack>
    </form>
  );
}
