import { Group } from "@mantine/core";
import { PeopleIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { Journey } from "../../../api/types.ts";
import { useApiList } from "../../../api/use_api.ts";
import { EmptyState } from "../../../ui/empty_state.tsx";
import { ExportMenu } from "../../../ui/export_menu.tsx";
import { Filters } from "../../../ui/filters.tsx";
import { ListTable } from "../../../ui/list_table.tsx";
import { NoMatches } from "../../../ui/no_matches.tsx";
import { useFilters } from "../../../url/use_filters.ts";
import { useDefinitions } from "../use_definitions.ts";
import { useNames } from "../use_names.ts";
import { makeRunColumns } from "./run_columns.tsx";
import { Select } from "../../../ui/overlays.tsx";

const refreshMs = 5_000;
const stateOptions = [
  { value: "active", label: "Inside" },
  { value: "stuck", label: "Stuck" },
  { value: "ended", label: "Ended" },
] as const;

/** The runs of a journey, newest first. */
export function RunList({ journey }: { journey: Journey }) {
  const { filters, setFilters } = useFilters();
  const { nameOf } = useNames();
  const definitions = useDefinitions(journey.id);
  const state = stateOptions.find(({ value }) => value === filters.state)?.value;
  const list = {
    params: { id: journey.id },
    query: state === "stuck" ? { stuck: true } : { state },
  };
  const runs = useApiList("GET /journeys/{id}/runs", list, { refetchInterval: refreshMs });
  const isPaused = journey.state === "paused";
  const columns = useMemo(
    () =>
      makeRunColumns({ open: ({ id }) => setFilters({ run: id }), isPaused, nameOf, definitions }),
    [setFilters, isPaused, nameOf, definitions],
  );
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <Filters>
          <Select
            aria-label="State"
            placeholder="Any state"
            data={stateOptions}
            value={state ?? null}
            onChange={(value) => setFilters({ state: value ?? undefined })}
            clearable
          />
        </Filters>
        <ExportMenu route="GET /journeys/{id}/runs/export" input={list} />
      </Group>
      <ListTable
        label="Runs"
        list={runs}
        columns={columns}
        empty={state
          ? <NoMatches title="No matching runs">Remove the filter to see more.</NoMatches>
          : (
            <EmptyState icon={PeopleIcon} title="No runs yet">
              A run begins when a customer enters the journey.
            </EmptyState>
          )}
      />
    </>
  );
}
