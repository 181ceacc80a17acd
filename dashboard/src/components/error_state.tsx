import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { ApiCallError } from "../api/api_client.ts";

interface ErrorStateProps {
  error: Error;
  retry?: () => unknown;
}

/** What went wrong, the id to ask about it, and another try. */
export function ErrorState({ error, retry }: ErrorStateProps) {
  const failure = error instanceof ApiCallError ? error : null;
  return (
    <Alert color="red" icon={<AlertIcon />} title={titleOf(failure)} m="md" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break-anywhere">{error.message}</Text>
        <Group gap="sm">
          {retry && <Button size="xs" color="red" onClick={() => void retry()}>Try again</Button>}
          {failure?.body.request_id && (
            <Text size="xs">
              Request id <Code>{failure.body.request_id}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function titleOf(failure: ApiCallError | null): string {
  if (failure?.status === 404) return "Not found";
  if (failure?.status === 403) return "Not allowed";
  if (failure?.status === 429) return "Too many requests";
  return "This could not be loaded";
}
