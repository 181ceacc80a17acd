import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { WorkflowIcon } from "@primer/octicons-react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";

const shownCount = 5;
const refreshMs = 15_000;

/** The journeys that run, with the number of customers inside. */
export function RunningJourneys() {
  const { id } = useWorkspace();
  const journeys = useApiList("GET /journeys", {
    query: { state: "running", limit: shownCount },
  }, { refetchInterval: refreshMs });
  const rows = listRows(journeys).slice(0, shownCount);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">Running journeys</Title>
        {rows.length > 0 && <Anchor {...linkTo(`/w/${id}/journeys`)} size="sm">See all</Anchor>}
      </Group>
      {journeys.isPending && <Skeleton h={90} />}
      {journeys.error && <ErrorState error={journeys.error} retry={journeys.refetch} />}
      {journeys.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={WorkflowIcon}
          title="No running journeys"
          action={
            <Button variant="default" {...linkTo(`/w/${id}/journeys`)}>Go to journeys</Button>
          }
        >
          Journeys send emails when customers do something, or don’t.
        </EmptyState>
      )}
      <Stack gap={0}>
        {rows.map((journey) => (
          <Group
            key={journey.id}
            justify="space-between"
            wrap="nowrap"
            className="plain-row"
            {...linkTo(`/w/${id}/journeys/${journey.id}`)}
          >
            <Text size="sm" fw={550} truncate dir="auto">{journey.name}</Text>
            <Text size="xs" c="dimmed">{countOf(journey.active_runs, "active run")}</Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
