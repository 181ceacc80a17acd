import { Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { CheckCircleIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { countOf } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { HealthBadge, readHealth } from "../destinations/destination_health.tsx";

/** Destinations that somebody should look at. */
export function Attention() {
  const destinations = useApiList("GET /destinations", { query: { limit: 200 } });
  const rows = listRows(destinations);
  const failing = rows.filter((destination) => readHealth(destination).needsAttention);
  return (
    <Paper p="md" h="100%">
      <Title order={2} size="h5" mb="sm">Destinations that need attention</Title>
      {destinations.error && <ErrorState error={destinations.error} retry={destinations.refetch} />}
      {destinations.isSuccess && failing.length === 0 && (
        <EmptyState icon={CheckCircleIcon} title="All is well">
          {rows.length === 0
            ? "There are no destinations yet."
            : `${countOf(rows.length, "destination")}, none of them failing.`}
        </EmptyState>
      )}
      {destinations.isPending && <Skeleton h={120} />}
      <Stack gap={0}>
        {failing.map((destination) => <Row key={destination.id} destination={destination} />)}
      </Stack>
    </Paper>
  );
}

function Row({ destination }: { destination: Destination }) {
  const { id } = useWorkspace();
  const { health } = destination;
  return (
    <Group
      justify="space-between"
      wrap="nowrap"
      className="plain-row"
      {...linkTo(`/w/${id}/destinations/${destination.id}`)}
    >
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>{destination.name}</Text>
        <Text size="xs" c="dimmed" component="div">
          {countOf(health.pending, "message")} waiting, last failure{" "}
          <TimeAgo time={health.last_failure_at} />
        </Text>
      </div>
      <HealthBadge destination={destination} />
    </Group>
  );
}
