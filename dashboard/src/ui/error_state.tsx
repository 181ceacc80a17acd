import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import { ApiCallError, isMissing } from "../api/api_client.ts";

interface ErrorStateProps {
  error: Error;
  /** Loads again what could not be loaded. Leave out for an action. */
  retry?: () => unknown;
  /** Button in the place of the one that loads again. */
  remedy?: ReactNode;
}

/** An error with its request ID and a button to try again. */
export function ErrorState({ error, retry, remedy }: ErrorStateProps) {
  const failure = error instanceof ApiCallError ? error : null;
  return (
    <Alert
      color="red"
      icon={<AlertIcon />}
      title={titleOf(error, retry !== undefined || remedy !== undefined)}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break-anywhere">
          {isOffline(error) ? "Check your connection and try again." : error.message}
        </Text>
        <Group gap="sm">
          {remedy}
          {retry && !isMissing(error) && (
            <Button size="xs" color="red" onClick={() => void retry()}>Try again</Button>
          )}
          {failure?.body.request_id && (
            <Text size="xs">
              Request ID <Code>{failure.body.request_id}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Returns whether there was no response at all. Each browser has another text for it. */
function isOffline(error: Error): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

/** @param isLoading whether data was requested; otherwise an action failed. */
function titleOf(error: Error, isLoading: boolean): string {
  const failure = error instanceof ApiCallError ? error : null;
  if (isOffline(error)) return "Can’t reach the service";
  if (isMissing(error)) return "Not found";
  if (failure?.status === 403) return "Not allowed";
  if (failure?.status === 429) return "Too many requests";
  return isLoading ? "Couldn’t load this" : "That didn’t work";
}
