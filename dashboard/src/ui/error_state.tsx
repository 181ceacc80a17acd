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
    <Alert
      color="red"
      icon={<AlertIcon />}
      title={titleOf(error, retry !== undefined)}
      m="md"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break-anywhere">
          {isOffline(error) ? "Check your connection; nothing was lost." : error.message}
        </Text>
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

/** What browsers throw when there is no answer at all; each has another text for it. */
function isOffline(error: Error): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

/** @param isReading whether something was to be shown; otherwise it was to be done. */
function titleOf(error: Error, isReading: boolean): string {
  const failure = error instanceof ApiCallError ? error : null;
  if (isOffline(error)) return "The service cannot be reached";
  if (failure?.status === 404) return "Not found";
  if (failure?.status === 403) return "Not allowed";
  if (failure?.status === 429) return "Too many requests";
  return isReading ? "This could not be loaded" : "This could not be done";
}
