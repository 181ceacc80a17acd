import { Anchor, Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { CheckCircleIcon, DotFillIcon, WebhookIcon } from "@primer/octicons-react";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Destination } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { HealthBadge } from "../destinations/destination_columns.tsx";
import { describeBacklog } from "../destinations/describe_backlog.ts";
import { useOpenProblems } from "./use_open_problems.ts";
import { useDestinationHealth } from "./use_destination_health.ts";

const shownCount = 5;

function needsAttention({ health }: Destination): boolean {
  return health.state === "failing" || health.missed > 0 || health.next_probe_at !== null;
}

/** Open alerts, rejected entries, and the destinations that fail, are paused or missed messages. */
export function Attention() {
  const { id } = useWorkspace();
  const destinations = useDestinationHealth();
  const problems = useOpenProblems();
  const { data = [], counts } = destinations.data ?? {};
  const affected = data.filter(needsAttention);
  const rows = affected.slice(0, shownCount);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">Needs attention</Title>
        {affected.length > rows.length && (
          <Anchor {...linkTo(`/w/${id}/destinations`)} size="sm">
            See all {affected.length} destinations
          </Anchor>
        )}
      </Group>
      {destinations.error && <ErrorState error={destinations.error} retry={destinations.refetch} />}
      {counts && affected.length + problems.length === 0 && <NothingFailing counts={counts} />}
      {destinations.isPending && <Skeleton h={120} />}
      <Stack gap={0}>
        {problems.map(({ title, note, path, search, badge, color }) => (
          <Group
            key={path}
            justify="space-between"
            wrap="nowrap"
            className="plain-row"
            {...linkTo(`/w/${id}${path}`, search)}
          >
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={550}>{title}</Text>
              <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere">{note}</Text>
            </div>
            <Badge color={color} leftSection={<DotFillIcon size={12} />}>{badge}</Badge>
          </Group>
        ))}
        {rows.map((destination) => <Row key={destination.id} destination={destination} />)}
      </Stack>
    </Paper>
  );
}

function NothingFailing({ counts }: { counts: ApiResponse<"GET /destinations">["counts"] }) {
  const { id } = useWorkspace();
  if (counts.total === 0) {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="No destinations yet"
        action={
          <Button variant="default" {...linkTo(`/w/${id}/destinations`)}>Go to destinations</Button>
        }
      >
        Destinations forward events to your systems.
      </EmptyState>
    );
  }
  const states = [
    [counts.healthy, "healthy"],
    [counts.disabled, "disabled"],
    [counts.unused, "not used yet"],
  ] as const;
  return (
    <EmptyState icon={CheckCircleIcon} title="No failing destinations">
      {countOf(counts.total, "destination")}: {states.filter(([count]) => count > 0)
        .map(([count, label]) => `${count} ${label}`).join(", ")}.
    </EmptyState>
  );
}

function Row({ destination }: { destination: Destination }) {
  const { id } = useWorkspace();
  const { last_failure_at } = destination.health;
  return (
    <Group
      justify="space-between"
      wrap="nowrap"
      className="plain-row"
      {...linkTo(`/w/${id}/destinations/${destination.id}`)}
    >
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate dir="auto">{destination.name}</Text>
        <Text size="xs" c="dimmed" component="div">
          {describeBacklog([destination])}
          {last_failure_at && (
            <>
              , last failure <TimeAgo time={last_failure_at} />
            </>
          )}
        </Text>
      </div>
      <HealthBadge destination={destination} />
    </Group>
  );
}
