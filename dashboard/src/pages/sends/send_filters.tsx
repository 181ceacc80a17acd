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

type State = SendSummary["state"];

const stateOptions: { value: State; label: string }[] = [
  { value: "sent", label: "Sent" },
  { value: "skipped", label: "Not sent" },
  { value: "failed", label: "Failed" },
  { value: "queued", label: "Queued" },
  { value: "sending", label: "Sending" },
  { value: "unknown", label: "Unknown" },
];

const engagementOptions = Object.entries(engagementLabels)
  .map(([value, label]) => ({ value: value as Engagement, label }));

/** Outcomes as the column of states shows them: of sending, or of the newest report. */
const outcomeGroups = [
  { group: "Sending", items: stateOptions },
  { group: "Reports", items: engagementOptions },
];

/** The list that the page's address asks for, and whether that is a part of all messages. */
export function useSendQuery() {
  const { filters } = useFilters();
  const { customer_id, campaign_id, journey_id, template_id, sender_id } = filters;
  const { since, until } = useOptionalRange();
  const narrow = {
    state: findState(filters.state),
    engagement: findEngagement(filters.engagement),
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

function findState(value: string | null | undefined): State | undefined {
  return stateOptions.find((option) => option.value === value)?.value;
}

function findEngagement(value: string | null | undefined): Engagement | undefined {
  return engagementOptions.find((option) => option.value === value)?.value;
}

/** The filters of the list. */
export function SendFilters(names: SendNames) {
  const { filters, setFilters } = useFilters();
  const { journey_id, template_id, sender_id } = filters;
  return (
    <Filters
      further={{
        fields: <FurtherFields {...names} />,
        used: [journey_id, template_id, sender_id].filter(Boolean).length,
      }}
    >
      <Select
        aria-label="State"
        placeholder="Any state"
        data={outcomeGroups}
        value={findEngagement(filters.engagement) ?? findState(filters.state) ?? null}
        onChange={(value: string | null) =>
          setFilters({ state: findState(value), engagement: findEngagement(value) })}
        clearable
      />
      <FilterSelect
        label="Campaign"
        list={names.campaigns}
        value={filters.campaign_id}
        onChange={(value) => setFilters({ campaign_id: value })}
      />
      <CustomerFilter
        placeholder="Any customer"
        value={filters.customer_id}
        onChange={(value) => setFilters({ customer_id: value })}
      />
      <RangePicker fallback="all" />
    </Filters>
  );
}

function FurtherFields({ journeys, templates, senders }: SendNames) {
  const { filters, setFilters } = useFilters();
  return (
    <>
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
    </>
  );
}
