import { Select } from "@mantine/core";
import type { ApiInput } from "../../api/api_client.ts";
import { Page } from "../../components/page.tsx";
import { useFilters } from "../../use_filters.ts";
import { DOOR_OPTIONS, RejectedList } from "./rejected_list.tsx";

type Filter = NonNullable<ApiInput<"GET /rejected-entries">["query"]>;

export function RejectedPage() {
  const { filters, setFilters } = useFilters();
  return (
    <Page
      title="Rejected entries"
      description="What was refused, and why. Mend it and send it again; kept for 7 days."
    >
      <Select
        aria-label="Came by"
        placeholder="Any way in"
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
