import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Alert } from "@mantine/core";
import { listRows, useApiItem } from "../../api/use_api.ts";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Page } from "../../ui/page.tsx";
import { countOf } from "../../format/numbers.ts";
import { useRange } from "../../url/use_filters.ts";
import { placeInEntry } from "./list_reasons.ts";
import { ReasonList } from "./reason_list.tsx";
import { RejectedFilters, useRejectedQuery } from "./rejected_filters.tsx";
import { RejectedList, useRejectedEntries } from "./rejected_list.tsx";

export function RejectedPage() {
  const { query, isFiltered } = useRejectedQuery();
  const usage = useApiItem("GET /usage", { query: { ...useRange("7d") } });
  const notKept = usage.data?.rejected_entries.not_kept ?? 0;
  return (
    <Page
      title="Rejected entries"
      actions={<ExportMenu route="GET /rejected-entries/export" input={{ query }} />}
      description={`Entries that failed validation. Fix and resend them within ${retentionDays.rejectedEntries} days.`}
    >
      {notKept > 0 && (
        <Alert color="yellow" mb="lg">
          {countOf(notKept, "more entry was", "more entries were")} rejected in the last{" "}
          {retentionDays.rejectedEntries}{" "}
          days but not kept, because the plan’s daily limit was reached.
        </Alert>
      )}
      <ReasonList />
      <RejectedFilters fields={useShownFields(query)} />
      <RejectedList query={query} isFiltered={isFiltered} />
    </Page>
  );
}

/** The wrong fields of the entries that are loaded. */
function useShownFields(query: ReturnType<typeof useRejectedQuery>["query"]): string[] {
  const entries = useRejectedEntries(query);
  const fields = listRows(entries).map(({ field }) => placeInEntry(field ?? ""));
  return [...new Set(fields)].filter((field) => field !== "").sort();
}
