import { Anchor, Text } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { SendSummary } from "../../api/types.ts";
import { useApiList, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Filters } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { ViewsMenu } from "../../ui/views_menu.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { SendBadge, SendReason } from "./send_badge.tsx";
import { Select } from "../../ui/overlays.tsx";

const stateOptions: { value: SendSummary["state"]; label: string }[] = [
  { value: "sent", label: "Sent" },
  { value: "skipped", label: "Not sent" },
  { value: "failed", label: "Failed" },
  { value: "queued", label: "Queued" },
  { value: "sending", label: "Sending" },
  { value: "unknown", label: "Unknown" },
];

const refreshMs = 10_000;

export function SendsPage() {
  const { id } = useWorkspace();
  const { filters } = useFilters();
  const { customer_id, campaign_id, journey_id, template_id } = filters;
  const state = stateOptions.find(({ value }) => value === filters.state)?.value;
  const { since, until } = useOptionalRange();
  const templates = useWholeList("GET /templates", {});
  const sort = useTimeSort();
  const query = { state, customer_id, campaign_id, journey_id, template_id, since, until, sort };
  const sends = useApiList("GET /sends", { query }, { refetchInterval: refreshMs });
  const columns = useMemo(() => makeColumns(templates), [templates]);
  const isFiltered = Boolean(
    state || customer_id || campaign_id || journey_id || template_id || since,
  );
  return (
    <Page
      title="Sent"
      description={
        <>
          Every message to a customer, and what happened to it. Kept for 90 days.{" "}
          <Anchor {...linkTo(`/w/${id}/sends/explain`)} inherit>Why did they not get it?</Anchor>
        </>
      }
      actions={
        <>
          <ViewsMenu list="sends" />
          <ExportMenu route="GET /sends/export" input={{ query }} />
        </>
      }
    >
      <SendFilters templates={templates} />
      <ListTable
        label="Sent messages"
        list={sends}
        columns={columns}
        linkTo={(send) => `/w/${id}/sends/${send.id}`}
        empty={isFiltered
          ? (
            <NoMatches title="No matching messages">
              Choose a longer time range or remove a filter.
            </NoMatches>
          )
          : (
            <EmptyState icon={PaperAirplaneIcon} title="Nothing sent yet">
              Campaigns, journeys and the API send messages.
            </EmptyState>
          )}
      />
    </Page>
  );
}

function SendFilters({ templates }: { templates: { id: string; name: string }[] }) {
  const { filters, setFilters } = useFilters();
  const { customer_id, campaign_id, journey_id, template_id } = filters;
  const campaigns = useWholeList("GET /campaigns", {});
  const journeys = useWholeList("GET /journeys", {});
  return (
    <Filters>
      <Choice
        label="State"
        any="Any state"
        options={stateOptions}
        value={filters.state}
        onChange={(value) => setFilters({ state: value })}
      />
      <Choice
        label="Campaign"
        any="Any campaign"
        options={campaigns.map((each) => ({ value: each.id, label: each.name }))}
        value={campaign_id}
        onChange={(value) => setFilters({ campaign_id: value })}
      />
      <Choice
        label="Journey"
        any="Any journey"
        options={journeys.map((each) => ({ value: each.id, label: each.name }))}
        value={journey_id}
        onChange={(value) => setFilters({ journey_id: value })}
      />
      <Choice
        label="Template"
        any="Any template"
        options={templates.map((each) => ({ value: each.id, label: each.name }))}
        value={template_id}
        onChange={(value) => setFilters({ template_id: value })}
      />
      <CustomerFilter
        value={customer_id}
        onChange={(value) => setFilters({ customer_id: value })}
      />
      <RangePicker fallback="all" />
    </Filters>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  options: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={options}
      value={value ?? null}
      onChange={(chosen: string | null) => onChange(chosen ?? undefined)}
      clearable
      searchable
    />
  );
}

/** The customer of a message. On a phone with the reason, which the message's page shows whole. */
function Recipient({ send }: { send: SendSummary }) {
  const { customer_name, email } = send;
  return (
    <div style={{ minWidth: "8rem" }}>
      <Text size="sm" fw={550} lineClamp={2} className="break-anywhere" dir="auto">
        {customer_name ?? email ?? "No address"}
      </Text>
      {customer_name !== null && customer_name !== email && (
        <Text size="xs" c="dimmed" lineClamp={1} className="break-everywhere">
          {email ?? "No address"}
        </Text>
      )}
      <SendReason send={send} lineClamp={1} className="break-everywhere" hiddenFrom="sm" />
    </div>
  );
}

function makeColumns(templates: { id: string; name: string }[]): Column<SendSummary>[] {
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  return [
    {
      label: "To",
      cell: (send) => <Recipient send={send} />,
    },
    {
      label: "State",
      cell: (send) => (
        <>
          <SendBadge send={send} />
          <SendReason send={send} visibleFrom="sm" />
          <Text size="xs" c="dimmed" component="div" mt={2} hiddenFrom="sm">
            <TimeAgo time={send.queued_at} />
          </Text>
        </>
      ),
    },
    {
      label: "Template",
      visibleFrom: "sm",
      cell: ({ template }) => (
        <Text size="sm" lineClamp={1} className="break-anywhere">
          {template === null ? "–" : names.get(template.id) ?? "Deleted template"}
        </Text>
      ),
    },
    {
      label: "Queued",
      sort: "time",
      align: "right",
      visibleFrom: "sm",
      cell: ({ queued_at }) => <TimeAgo time={queued_at} />,
    },
  ];
}
