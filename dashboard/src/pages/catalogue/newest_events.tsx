import { Anchor, Group, Paper, Skeleton, Text, Title } from "@mantine/core";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useFilters } from "../../url/use_filters.ts";
import { EventRows } from "../events/event_rows.tsx";

const EventDrawer = lateDialog(async () =>
  (await import("../events/event_drawer.tsx")).EventDrawer
);

const shownCount = 5;
const refreshMs = 15_000;

/** The newest events of a name as examples, each with its customer. */
export function NewestEvents({ name }: { name: string }) {
  const { id } = useWorkspace();
  const { filters } = useFilters();
  const events = useApiList("GET /events", { query: { name, limit: shownCount } }, {
    refetchInterval: refreshMs,
  });
  const rows = listRows(events).slice(0, shownCount);
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Group justify="space-between" p="md">
        <Title order={2} size="h5">Newest events</Title>
        <Anchor {...linkTo(`/w/${id}/events`, { name })} size="sm">See all</Anchor>
      </Group>
      {events.isPending && <Skeleton h={120} />}
      {events.isError && <ErrorState error={events.error} retry={events.refetch} />}
      {events.isSuccess && rows.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">No stored event has this name.</Text>
      )}
      <EventRows label="Newest events" events={rows} isLive />
      <EventDrawer isOpen={filters.event !== undefined} />
    </Paper>
  );
}
