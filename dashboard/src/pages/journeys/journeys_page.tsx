import { Badge, Button, Group } from "@mantine/core";
import { PlusIcon, SearchIcon, WorkflowIcon } from "@primer/octicons-react";
import type { Journey, ListedJourney } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { formatCount, formatShare } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { nameColumn } from "../../ui/name_column.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { JourneyState, stateLabels } from "./journey_state.tsx";
import { Select } from "../../ui/overlays.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const NewJourneyModal = lateDialog(async () =>
  (await import("./new_journey_modal.tsx")).NewJourneyModal
);

const refreshMs = 10_000;
const stateOptions = Object.entries(stateLabels).map(([value, label]) => ({ value, label }));

export function JourneysPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const { filters, setFilters } = useFilters();
  const { q } = filters;
  const state = readState(filters.state);
  const sort = useNameSort();
  const journeys = useApiList("GET /journeys", { query: { q, state, sort } }, {
    refetchInterval: refreshMs,
  });
  const [isCreating, { open, close }] = useDraftDialog("journey:new");
  const create = mayEdit && <Button leftSection={<PlusIcon />} onClick={open}>New journey</Button>;
  return (
    <Page
      title="Journeys"
      description="Steps that customers pass through: emails, waits, branches."
      actions={create}
    >
      <Filters>
        <FilterInput
          aria-label="Name"
          placeholder="Search by name"
          leftSection={<SearchIcon />}
          value={q}
          onChange={(value) => setFilters({ q: value })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={stateOptions}
          value={state ?? null}
          onChange={(value) => setFilters({ state: value ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Journeys"
        list={journeys}
        columns={columns}
        linkTo={(journey) => `/w/${id}/journeys/${journey.id}`}
        empty={q || state
          ? <NoMatches title="No matching journeys">Remove a filter to see more.</NoMatches>
          : (
            <EmptyState icon={WorkflowIcon} title="No journeys yet" action={create}>
              {mayEdit
                ? "Create a journey to send emails when customers do something, or don’t."
                : "Ask an admin of this workspace to create one."}
            </EmptyState>
          )}
      />
      {isCreating && <NewJourneyModal isOpen close={close} />}
    </Page>
  );
}

function readState(state: string | undefined): Journey["state"] | undefined {
  return state !== undefined && Object.hasOwn(stateLabels, state)
    ? state as Journey["state"]
    : undefined;
}

const columns: Column<ListedJourney>[] = [
  nameColumn("Journey"),
  {
    label: "State",
    cell: ({ state, failed }) => (
      <Group gap={6}>
        <JourneyState state={state} />
        {failed > 0 && <Badge color="red">{formatCount(failed)} failed</Badge>}
      </Group>
    ),
  },
  {
    label: "Version",
    align: "right",
    visibleFrom: "sm",
    cell: ({ version }) => <span className="tabular">{version ?? "–"}</span>,
  },
  {
    label: "Entered",
    align: "right",
    visibleFrom: "sm",
    cell: ({ entered, held_out }) => (
      <span className="tabular">{formatCount(entered - held_out)}</span>
    ),
  },
  {
    label: "Inside",
    align: "right",
    cell: ({ active_runs }) => <span className="tabular">{formatCount(active_runs)}</span>,
  },
  {
    label: "Goal",
    align: "right",
    visibleFrom: "sm",
    cell: ({ entered, held_out, reached_goal }) => (
      <span className="tabular">
        {reached_goal === 0 ? "–" : formatShare(reached_goal, entered - held_out)}
      </span>
    ),
  },
  {
    label: "Updated",
    align: "right",
    visibleFrom: "md",
    cell: (journey) => <TimeAgo time={journey.updated_at} />,
  },
];
