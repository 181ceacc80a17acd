import { Button, Select } from "@mantine/core";
import { FilterRemoveIcon, HistoryIcon } from "@primer/octicons-react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { Filters } from "../../ui/filters.tsx";
import { ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ACTION_OPTIONS } from "./actions.ts";
import { auditColumns } from "./audit_columns.tsx";
import { useActors } from "./use_actors.ts";

export function AuditLogPage() {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const { action, actor_id } = filters;
  const { since, until } = useOptionalRange();
  const entries = useApiList("GET /audit-log", { query: { action, actor_id, since, until } });
  const actors = useActors(listRows(entries), actor_id);
  return (
    <Page title="Audit log" description="Who changed what, and when.">
      <Filters>
        <Select
          aria-label="Action"
          placeholder="Any action"
          data={ACTION_OPTIONS}
          value={action ?? null}
          onChange={(value) => setFilters({ action: value ?? undefined })}
          searchable
          clearable
        />
        <Select
          aria-label="Who"
          placeholder="Anybody"
          data={actors}
          value={actor_id ?? null}
          onChange={(value) => setFilters({ actor_id: value ?? undefined })}
          searchable
          clearable
        />
        <RangePicker fallback="all" />
      </Filters>
      <ListTable
        label="Audit log"
        list={entries}
        columns={auditColumns(`/w/${id}`)}
        empty={action || actor_id || since
          ? <NothingMatches />
          : (
            <EmptyState icon={HistoryIcon} title="No changes yet">
              Changes to keys, team, destinations and sources, erasures and replays appear here.
            </EmptyState>
          )}
      />
    </Page>
  );
}

function NothingMatches() {
  const { setFilters } = useFilters();
  const clear = () =>
    setFilters({
      action: undefined,
      actor_id: undefined,
      range: undefined,
      since: undefined,
      until: undefined,
    });
  return (
    <EmptyState
      icon={FilterRemoveIcon}
      title="No change matches"
      action={<Button variant="default" onClick={clear}>Clear the filters</Button>}
    >
      Choose a longer time or remove a filter.
    </EmptyState>
  );
}
