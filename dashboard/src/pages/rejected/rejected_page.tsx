import { Alert, Select } from "@mantine/core";
import type { ApiInput } from "../../api/api_client.ts";
import { useApiItem } from "../../api/use_api.ts";
import { Page } from "../../ui/page.tsx";
import { countOf } from "../../format/numbers.ts";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { DOOR_OPTIONS, RejectedList } from "./rejected_list.tsx";

type Filter = NonNullable<ApiInput<"GET /rejected-entries">["query"]>;

export function RejectedPage() {
  const { filters, setFilters } = useFilters();
  const usage = useApiItem("GET /usage", { query: { ...useRange("7d") } });
  const notKept = usage.data?.rejected_entries.not_kept ?? 0;
  return (
    <Page
      title="Rejected entries"
      description="What was refused and why. Entries are kept for 7 days: fix one and send it again."
    >
      {notKept > 0 && (
        <Alert color="yellow" mb="md">
          {countOf(notKept, "more refused entry", "more refused entries")}{" "}
          of this time were counted and not kept: they exceed what the plan keeps in a day.
        </Alert>
      )}
      <Select
        aria-label="Received via"
        placeholder="Any channel"
        data={DOOR_OPTIONS}
        value={filters.door ?? null}
        onChange={(value) => setFilters({ door: value ?? undefined })}
        clearable
        mb="md"
        maw={240}
      />
      <RejectedList query={{ door: filters.door as Filter["door"] }} />
    </Page>
  );
}
