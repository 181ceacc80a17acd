import { Box, Group, Text, Title } from "@mantine/core";
import { PeopleIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { Journey } from "../../../api/types.ts";
import { useApiList } from "../../../api/use_api.ts";
import { EmptyState } from "../../../ui/empty_state.tsx";
import { ListTable } from "../../../ui/list_table.tsx";
import { useFilters } from "../../../url/use_filters.ts";
import { describePart } from "../model/describe_part.ts";
import { useDefinitions } from "../use_definitions.ts";
import { useNames } from "../use_names.ts";
import { makeRunColumns } from "./run_columns.tsx";

const refreshMs = 5_000;

interface WaitingRunsProps {
  journey: Journey;
  version: number;
  step: string;
}

/** The runs that stand at a step. */
export function WaitingRuns({ journey, version, step }: WaitingRunsProps) {
  const { setFilters } = useFilters();
  const { nameOf } = useNames();
  const definitions = useDefinitions(journey.id);
  const runs = useApiList("GET /journeys/{id}/runs", {
    params: { id: journey.id },
    query: { step, version: `${version}` },
  }, { refetchInterval: refreshMs });
  const isPaused = journey.state === "paused";
  const columns = useMemo(
    () =>
      makeRunColumns({ open: ({ id }) => setFilters({ run: id }), isPaused, nameOf, definitions }),
    [setFilters, isPaused, nameOf, definitions],
  );
  const name = describePart(step, { definition: definitions.get(version), nameOf }) ?? step;
  return (
    <Box component="section" aria-label={`Runs at ${name}`}>
      <Group pb="xs">
        <Title order={2} size="h5">Runs at {name}</Title>
        <Text size="sm" c="dimmed">
          <Text span ff="monospace" size="xs">{step}</Text>, version {version}
        </Text>
      </Group>
      <ListTable
        label={`Runs at ${name}`}
        list={runs}
        columns={columns}
        empty={
          <EmptyState icon={PeopleIcon} title="Nobody is here now">
            Customers who wait at this step appear here.
          </EmptyState>
        }
      />
    </Box>
  );
}
