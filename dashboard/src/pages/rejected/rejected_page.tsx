import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Alert } from "@mantine/core";
import type { ApiInput } from "../../api/api_client.ts";
import { useApiItem } from "../../api/use_api.ts";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Page } from "../../ui/page.tsx";
import { countOf } from "../../format/numbers.ts";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { originOptions, RejectedList } from "./rejected_list.tsx";
import { Select } from "../../ui/overlays.tsx";

type Filter = NonNullable<ApiInput<"GET /rejected-entries">["query"]>;

export function RejectedPage() {
  const { filters, setFilters } = useFilters();
  const usage = useApiItem("GET /usage", { query: { ...useRange("7d") } });
  const notKept = usage.data?.rejected_entries.not_kept ?? 0;
  return (
    <Page
      title="Rejected entries"
      actions={
        <ExportMenu
          route="GET /rejected-entries/export"
          input={{ query: { origin: filters.origin as Filter["origin"] } }}
        />
      }
      description={`Entries that failed validation. Fix and resend them within ${retentionDays.rejectedEntries} days.`}
    >
      {notKept > 0 && (
        <Alert color="yellow" mb="md">
          {countOf(notKept, "more entry was", "more entries were")} rejected in the last{" "}
          {retentionDays.rejectedEntries}{" "}
          days but not kept, because the plan’s daily limit was reached.
        </Alert>
      )}
      <Select
        aria-label="Channel"
        placeholder="Any channel"
        data={originOptions}
        value={filters.origin ?? null}
        onChange={(value) => setFilters({ origin: value ?? undefined })}
        clearable
        mb="md"
        maw={240}
      />
      <RejectedList query={{ origin: filters.origin as Filter["origin"] }} />
    </Page>
  );
}
