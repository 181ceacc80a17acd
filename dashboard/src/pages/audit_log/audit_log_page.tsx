import { Group } from "@mantine/core";
import { FilterRemoveIcon, HistoryIcon } from "@primer/octicons-react";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../components/empty_state.tsx";
import { FilterInput } from "../../components/filter_input.tsx";
import { ListTable } from "../../components/list_table.tsx";
import { Page } from "../../components/page.tsx";
import { useFilters } from "../../use_filters.ts";
import { AUDIT_COLUMNS } from "./audit_columns.tsx";

export function AuditLogPage() {
  const { filters, setFilters } = useFilters();
  const { action } = filters;
  const entries = useApiList("GET /audit-log", { query: { action } });
  return (
    <Page title="Audit log" description="Who changed what, and when.">
      <Group mb="md" gap="xs">
        <FilterInput
          aria-label="Action"
          placeholder="Action, such as api_key.revoke"
          value={action}
          onChange={(value) => setFilters({ action: value })}
          w={280}
        />
      </Group>
      <ListTable
        label="Audit log"
        list={entries}
        columns={AUDIT_COLUMNS}
        empty={action
          ? (
            <EmptyState icon={FilterRemoveIcon} title="No entry matches">
              Actions are matched whole.
            </EmptyState>
          )
          : (
            <EmptyState icon={HistoryIcon} title="Nothing was changed yet">
              Changes to keys, team, destinations and sources, erasures and replays appear here.
            </EmptyState>
          )}
      />
    </Page>
  );
}
