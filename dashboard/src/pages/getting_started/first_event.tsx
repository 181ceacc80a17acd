import { Button, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { JsonView } from "../../ui/code_view.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { eventTitle } from "../events/event_kind.tsx";

const pollMs = 1_500;

/** Waits for the first event and celebrates its arrival. */
export function FirstEvent() {
  const { id } = useWorkspace();
  const events = useApiItem("GET /events", { query: { limit: 1 } }, {
    refetchInterval: (list) => list?.data.length ? false : pollMs,
  });
  const event = events.data?.data[0];
  if (events.error && !events.data) {
    return <ErrorState error={events.error} retry={events.refetch} />;
  }
  if (!event) {
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
            <Text size="sm" c="dimmed" component="div">
              Latest: <b dir="auto">{eventTitle(event)}</b>, received{" "}
              <TimeAgo time={event.received_at} />
            </Text>
          </div>
        </Group>
        <JsonView value={event} label="Latest event" />
        <Group gap="xs">
          <Button {...linkTo(`/w/${id}/events`)}>View live events</Button>
          <Button variant="default" {...linkTo(`/w/${id}/customers/${event.customer_id}`)}>
            View customer
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
