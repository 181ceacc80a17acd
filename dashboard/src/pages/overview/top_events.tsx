import { Anchor, Box, Group, Paper, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { BroadcastIcon } from "@primer/octicons-react";
import type { Usage } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { formatCount } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";

const shownCount = 7;

/** The most frequent event names. */
export function TopEvents({ usage }: { usage: Usage | undefined }) {
  const { id } = useWorkspace();
  const { filters } = useFilters();
  const rows = usage?.top_events.slice(0, shownCount) ?? [];
  const most = rows[0]?.events ?? 1;
  const time = { range: filters.range ?? "24h", since: filters.since, until: filters.until };
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Top events</Title>
      {!usage && <Skeleton h={180} />}
      {usage && rows.length === 0 && <NoEvents />}
      <Stack gap={2}>
        {rows.map(({ name, events }) => (
          <Box
            key={name}
            className="plain-row"
            {...linkTo(`/w/${id}/events`, { ...time, name })}
          >
            <Group justify="space-between" wrap="nowrap" mb={4}>
              <Text size="sm" truncate>{name}</Text>
              <Text size="sm" fw={550} className="tabular">{formatCount(events)}</Text>
            </Group>
            <Progress value={(events / most) * 100} size={4} aria-hidden />
          </Box>
        ))}
      </Stack>
    </Paper>
  );
}

/** Tells a workspace without any event from a time range without one. */
function NoEvents() {
  const { id } = useWorkspace();
  const newest = useApiItem("GET /events", { query: { limit: 1 } });
  if (newest.isPending) return <Skeleton h={180} />;
  return newest.data?.data.length === 0
    ? (
      <EmptyState icon={BroadcastIcon} title="No events yet">
        <Anchor {...linkTo(`/w/${id}/getting-started`)} inherit>Send one</Anchor>.
      </EmptyState>
    )
    : (
      <EmptyState icon={BroadcastIcon} title="No events in this period">
        Choose a longer time range.
      </EmptyState>
    );
}
