import type { SendSummary } from "../../api/types.ts";
import { FilterSelect } from "../../ui/filter_select.tsx";
import { Filters } from "../../ui/filters.tsx";
import { Select } from "../../ui/overlays.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { type Engagement, engagementLabels } from "./describe_send.ts";
import type { SendNames } from "./send_columns.tsx";

const stateOptions: { value: SendSummary["state"]; label: string }[] = [
  { value: "sent", label: "Sent" },
  { value: "skipped", label: "Not sent" },
  { value: "failed", label: "Failed" },
  { value: "queued", label: "Queued" },
  { value: "sending", label: "Sending" },
  { value: "unknown", label: "Unknown" },
];

const engagementOptions = Object.entries(engagementLabels)
  .map(([value, label]) => ({ value: value as Engagement, label }));

/** The list that the page's address asks for, and whether that is a part of all messages. */
export function useSendQuery() {
  const { filters } = useFilters();
  const { customer_id, campaign_id, journey_id, template_id, sender_id } = filters;
  const { since, until } = useOptionalRange();
  const narrow = {
    state: stateOptions.find(({ value }) => value === filters.state)?.value,
    engagement: engagementOptions.find(({ value }) => value === filters.engagement)?.value,
    customer_id,
    campaign_id,
    journey_id,
    template_id,
    sender_id,
    since,
    until,
  };
  const isFiltered = Object.values(narrow).some((value) => value !== undefined);
  return { query: { ...narrow, sort: useTimeSort() }, isFiltered };
}

/** The filters of the list. */
export function SendFilters({ campaigns, journeys, templates, senders }: SendNames) {
  const { filters, setFilters } = useFilters();
  return (
    <Filters>
      <Select
        aria-label="State"
        placeholder="Any state"
        data={stateOptions}
        value={filters.state ?? null}
        onChange={(value: string | null) => setFilters({ state: value ?? undefined })}
        clearable
      />
      <Select
        aria-label="Engagement"
        placeholder="Any engagement"
        data={engagementOptions}
        value={filters.engagement ?? null}
        onChange={(value: string | null) => setFilters({ engagement: value ?? undefined })}
        clearable
      />
      <FilterSelect
        label="Campaign"
        list={campaigns}
        value={filters.campaign_id}
        onChange={(value) => setFilters({ campaign_id: value })}
      />
      <FilterSelect
        label="Journey"
        list={journeys}
        value={filters.journey_id}
        onChange={(value) => setFilters({ journey_id: value })}
      />
      <FilterSelect
        label="Template"
        list={templates}
        value={filters.template_id}
        onChange={(value) => setFilters({ template_id: value })}
      />
      <FilterSelect
        label="Sender"
        list={senders}
        value={filters.sender_id}
        onChange={(value) => setFilters({ sender_id: value })}
      />
      <CustomerFilter
        value={filters.customer_id}
        onChange={(value) => setFilters({ customer_id: value })}
      />
      <RangePicker fallback="all" />
    </Filters>
  );
}
