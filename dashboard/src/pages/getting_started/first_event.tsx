import { Button, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import { JsonView } from "../../ui/code_view.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { eventTitle } from "../events/event_kind.tsx";
import { useLatestEvent } from "./use_latest_event.ts";

/** Waits for the first event and celebrates its arrival. */
export function FirstEvent() {
  const { id } = useWorkspace();
  const { isThere, latest, error, refetch } = useLatestEvent();
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!isThere) {
    return (
      <Paper p="lg" aria-live="polite">
        <Title order={2} size="h4" mb="xs">3. See it arrive</Title>
        <Group gap="sm">
          <Loader size="sm" type="dots" />
          <Text size="sm">Listening for your first event…</Text>
        </Group>
      </Paper>
    );
  }
  return (
    <Paper p="lg" className="celebration" aria-live="polite">
      <Stack>
        <Group gap="md" wrap="nowrap">
          <ThemeIcon size={44} radius="xl" color="teal" className="celebration-mark">
            <CheckIcon size={24} />
          </ThemeIcon>
          <div>
            <Title order={2} size="h4">3. Events are arriving</Title>
            {latest && (
              <Text size="sm" c="dimmed" component="div">
                Latest: <b dir="auto">{eventTitle(latest)}</b>, received{" "}
                <TimeAgo time={latest.received_at} />
              </Text>
            )}
          </div>
        </Group>
        {latest && <JsonView value={latest} label="Latest event" />}
        <Group gap="xs">
          <Button {...linkTo(`/w/${id}/events`)}>View live events</Button>
          {latest && (
            <Button variant="default" {...linkTo(`/w/${id}/customers/${latest.customer_id}`)}>
              View customer
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
