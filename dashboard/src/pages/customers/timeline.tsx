import { Paper } from "@mantine/core";
import { ClockIcon } from "@primer/octicons-react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ListError } from "../../ui/list_error.tsx";
import { Filters } from "../../ui/filters.tsx";
import { LoadMore } from "../../ui/load_more.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { EventNameFilter } from "../events/event_name_filter.tsx";
import { EventDays } from "./event_days.tsx";

const refreshMs = 5_000;

/** A customer's events by day, newest first, with filters. */
export function Timeline({ customerId }: { customerId: string }) {
  const { name } = useFilters().filters;
  const { since, until } = useOptionalRange();
  return (
    <>
      <Filters>
        <EventNameFilter />
        <RangePicker fallback="all" />
      </Filters>
      <Entries customerId={customerId} query={{ name, since, until }} />
    </>
  );
}

interface EntriesProps {
  customerId: string;
  query: Partial<Record<"name" | "since" | "until", string | undefined>>;
}

function Entries({ customerId, query }: EntriesProps) {
  const params = { id: customerId };
  const events = useApiList("GET /customers/{id}/events", { params, query }, {
    refetchInterval: refreshMs,
  });
  if (events.isPending) return <TableSkeleton columns={3} />;
  if (events.isError && !events.data) {
    return <ListError error={events.error} retry={events.refetch} />;
  }
  const rows = listRows(events);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  if (rows.length === 0) return <Paper>{isFiltered ? <NoMatchingEvents /> : <NoEvents />}</Paper>;
  return (
    <Paper style={{ overflow: "hidden" }}>
      <EventDays events={rows} />
      <LoadMore list={events} />
    </Paper>
  );
}

function NoMatchingEvents() {
  return (
    <NoMatches title="No matching events">
      <WidenHint />
    </NoMatches>
  );
}

function NoEvents() {
  return (
    <EmptyState icon={ClockIcon} title="No events yet">
      Events of this customer appear here as they arrive. Events older than the workspace’s
      retention period are deleted.
    </EmptyState>
  );
}
