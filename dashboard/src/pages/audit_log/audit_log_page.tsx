import { HistoryIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Filters } from "../../ui/filters.tsx";
import { ListTable, toggle } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { RoleGate } from "../../ui/role_gate.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { actionOptions } from "./actions.ts";
import { auditColumns } from "./audit_columns.tsx";
import { AuditDrawer } from "./audit_drawer.tsx";
import { groupEntries } from "./group_entries.ts";
import { TargetFilter } from "./target_filter.tsx";
import { useActors } from "./use_actors.ts";
import { Select } from "../../ui/overlays.tsx";

export function AuditLogPage() {
  return (
    <Page
      title="Audit log"
      description="Who changed what, and when."
      actions={useMay("admin") && <AuditActions />}
    >
      <RoleGate role="admin" action="read the audit log">
        <AuditLog />
      </RoleGate>
    </Page>
  );
}

/** The list that the page's address asks for. */
function useAuditQuery() {
  const { action, actor_id, entity_id } = useFilters().filters;
  const { since, until } = useOptionalRange();
  return { action, actor_id, entity_id, since, until, sort: useTimeSort() };
}

function AuditActions() {
  const query = useAuditQuery();
  return (
    <>
      <ViewsMenu list="audit-log" />
      <ExportMenu route="GET /audit-log/export" input={{ query }} />
    </>
  );
}

function AuditLog() {
  const { id } = useWorkspace();
  const { setFilters } = useFilters();
  const query = useAuditQuery();
  const { action, actor_id, entity_id, since } = query;
  const entries = useApiList("GET /audit-log", { query });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => groupEntries(listRows(entries), open), [entries.data, open]);
  const columns = useMemo(() => {
    const unfold = (group: string) => setOpen((current) => toggle(current, group));
    const show = (entry: string) => setFilters({ entry });
    return auditColumns({ workspace: `/w/${id}`, show, unfold });
  }, [id, setFilters]);
  const actors = useActors(listRows(entries), actor_id);
  return (
    <>
      <Filters>
        <Select
          aria-label="Action"
          placeholder="Any action"
          data={actionOptions}
          value={action ?? null}
          onChange={(value) => setFilters({ action: value ?? undefined })}
          searchable
          clearable
        />
        <Select
          aria-label="Who"
          placeholder="Anyone"
          data={actors}
          value={actor_id ?? null}
          onChange={(value) => setFilters({ actor_id: value ?? undefined })}
          searchable
          clearable
        />
        <TargetFilter
          entries={listRows(entries)}
          value={entity_id}
          onChange={(entity_id) => setFilters({ entity_id })}
        />
        <RangePicker fallback="all" />
      </Filters>
      <ListTable
        label="Audit log"
        list={entries}
        rows={rows}
        columns={columns}
        empty={action || actor_id || entity_id || since
          ? (
            <NoMatches title="No matching changes">
              <WidenHint />
            </NoMatches>
          )
          : (
            <EmptyState icon={HistoryIcon} title="No changes yet">
              Changes to keys, members, destinations, sources and customers appear here.
            </EmptyState>
          )}
      />
      <AuditDrawer />
    </>
  );
}
