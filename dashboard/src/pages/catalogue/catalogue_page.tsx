import { Badge, Box, Group, Text, Title } from "@mantine/core";
import { BookIcon, SearchIcon } from "@primer/octicons-react";
import type { CataloguedEvent } from "../../api/types.ts";
import { type ListQuery, listRows, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { TrendBars } from "../../charts/trend_line.tsx";
import { formatCount } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { EventTabs } from "../../ui/section_tabs.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { StatusBadge } from "./status_badge.tsx";
import { Select } from "../../ui/overlays.tsx";

const statuses = [
  { value: "expected", label: "Expected" },
  { value: "unexpected", label: "Unexpected" },
  { value: "none", label: "Not reviewed" },
];

const refreshMs = 10_000;

export function CataloguePage() {
  const { filters, setFilters } = useFilters();
  const { id } = useWorkspace();
  const { q, status } = filters;
  const sort = useCatalogueSort();
  const read = (service: boolean) => ({ query: { q, status: status as "none", service, sort } });
  const events = addIds(useApiList("GET /catalogue", read(false), { refetchInterval: refreshMs }));
  const serviceEvents = addIds(
    useApiList("GET /catalogue", read(true), { refetchInterval: refreshMs }),
  );
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <Page
      above={<EventTabs />}
      title="Catalogue"
      description="Every event name, counted by the day of arrival (UTC)."
    >
      <Filters>
        <FilterInput
          aria-label="Name"
          placeholder="Part of a name"
          leftSection={<SearchIcon />}
          value={q}
          onChange={(q) => setFilters({ q })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={statuses}
          value={status ?? null}
          onChange={(status) => setFilters({ status: status ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Event names"
        list={events}
        columns={columns}
        usualSort={usualSort}
        linkTo={() => `/w/${id}/catalogue/event`}
        linkSearch={({ name }) => ({ name })}
        empty={isFiltered
          ? (
            <NoMatches title="No event name matches">
              Change the filters to see other names.
            </NoMatches>
          )
          : (
            <EmptyState icon={BookIcon} title="No events yet">
              Event names appear here within seconds of their first event.
            </EmptyState>
          )}
      />
      {listRows(serviceEvents).length > 0 && <ServiceEvents list={serviceEvents} />}
    </Page>
  );
}

/** The order without a choice: the most events first. */
const usualSort = "volume";

/** The order that the page's address chooses. */
function useCatalogueSort(): "newest" | "name" | "last_seen" | "volume" {
  const { sort } = useFilters().filters;
  return sort === "name" || sort === "last_seen" || sort === "newest" ? sort : usualSort;
}

/** The events that the service stores itself, with a note what they are. */
function ServiceEvents({ list }: { list: ListQuery<Row> }) {
  const { id } = useWorkspace();
  return (
    <Box component="section" aria-labelledby="service-events" mt="xl">
      <Title order={2} size="h4" id="service-events">Built-in events</Title>
      <Text size="sm" c="dimmed" mb="xs" className="balanced">
        Signalpost stores these itself, about the emails that it sends for you: when one is sent,
        and when its recipient opens it, clicks a link or unsubscribes. Use them like your own
        events.
      </Text>
      <ListTable
        label="Built-in events"
        list={list}
        columns={columns}
        usualSort={usualSort}
        linkTo={() => `/w/${id}/catalogue/event`}
        linkSearch={({ name }) => ({ name })}
        empty={null}
      />
    </Box>
  );
}

/** Adds the ids that tables tell rows apart by: the names. */
function addIds(list: ListQuery<CataloguedEvent>): ListQuery<Row> {
  const pages = list.data?.pages.map(({ data, next_cursor }) => ({
    data: data.map((event) => ({ ...event, id: event.name })),
    next_cursor,
  }));
  return { ...list, data: pages && { ...list.data, pages } } as ListQuery<Row>;
}

type Row = CataloguedEvent & { id: string };

/** The widths are fixed, so that the two tables of the page align. */
const columns: Column<Row>[] = [
  {
    label: "Event",
    sort: "name",
    cell: ({ name, description, owner, status }) => (
      <>
        <Text
          size="sm"
          ff="monospace"
          fw={550}
          className="break-anywhere"
          miw={{ md: "8rem" }}
          dir="auto"
        >
          {name}
        </Text>
        {description && <Text size="xs" c="dimmed" lineClamp={1} dir="auto">{description}</Text>}
        {owner && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            Owner: <bdi>{owner}</bdi>
          </Text>
        )}
        {status === "unexpected" && (
          <Box mt={4} hiddenFrom="sm">
            <StatusBadge status={status} />
          </Box>
        )}
      </>
    ),
  },
  {
    label: "Status",
    width: 90,
    visibleFrom: "sm",
    // Words in every row would hide those that somebody decided about.
    cell: ({ status }) => status === null ? "–" : <StatusBadge status={status} />,
  },
  {
    label: "Properties",
    width: 105,
    align: "right",
    visibleFrom: "sm",
    cell: ({ properties, unexpected_properties }) => (
      <>
        <span className="tabular">{formatCount(properties)}</span>
        {unexpected_properties > 0 && (
          <Badge ml={6} color="orange">{unexpected_properties} unexpected</Badge>
        )}
      </>
    ),
  },
  {
    label: "Last 8 days",
    width: "clamp(120px, 17vw, 190px)",
    align: "right",
    sort: "volume",
    cell: ({ name, events_by_day, last_seen_at }) => (
      <Group gap="sm" justify="flex-end" wrap="nowrap">
        <div>
          <span className="tabular">
            {formatCount(events_by_day.reduce((sum, events) =>
              sum + events, 0))}
          </span>
          <Text size="xs" c="dimmed" component="div" hiddenFrom="xs">
            <TimeAgo time={last_seen_at} />
          </Text>
        </div>
        <Box lh={0} visibleFrom="sm">
          <TrendBars values={events_by_day} label={`${name} per day, the last 8 days`} />
        </Box>
      </Group>
    ),
  },
  {
    label: "Today",
    width: 80,
    align: "right",
    visibleFrom: "lg",
    cell: ({ events_today }) => <span className="tabular">{formatCount(events_today)}</span>,
  },
  {
    label: "Per day",
    width: 85,
    align: "right",
    visibleFrom: "lg",
    cell: ({ events_per_day }) => <span className="tabular">{formatCount(events_per_day)}</span>,
  },
  {
    label: "First seen",
    width: 105,
    align: "right",
    sort: "newest",
    visibleFrom: "md",
    cell: ({ first_seen_at }) => <TimeAgo time={first_seen_at} />,
  },
  {
    label: "Last seen",
    width: 105,
    align: "right",
    sort: "last_seen",
    visibleFrom: "xs",
    cell: ({ last_seen_at }) => <TimeAgo time={last_seen_at} />,
  },
];
