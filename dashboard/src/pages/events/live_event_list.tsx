import { Button, Paper } from "@mantine/core";
import { ArrowUpIcon, BroadcastIcon, FilterRemoveIcon, RocketIcon } from "@primer/octicons-react";
import { useQueryClient } from "@tanstack/react-query";
import { listKey } from "../../api/use_api.ts";
import { EmptyState } from "../../components/empty_state.tsx";
import { ErrorState } from "../../components/error_state.tsx";
import { linkTo } from "../../components/link_to.ts";
import { LoadMore } from "../../components/load_more.tsx";
import { TableSkeleton } from "../../components/table_skeleton.tsx";
import { useFilters } from "../../use_filters.ts";
import { useWorkspace } from "../../workspace.ts";
import { EventRow } from "./event_row.tsx";
import { useOpenEvent } from "./use_open_event.ts";
import { type LiveEventsOptions, useLiveEvents } from "./use_live_events.ts";

export function LiveEventList({ query, isPaused }: LiveEventsOptions) {
  const open = useOpenEvent();
  const { events, rows, arrived, isReadingOn } = useLiveEvents({ query, isPaused });
  if (events.isPending) return <TableSkeleton columns={3} />;
  if (events.isError && rows.length === 0) {
    return (
      <Paper>
        <ErrorState error={events.error} retry={events.refetch} />
      </Paper>
    );
  }
  if (rows.length === 0) {
    const isFiltered = Object.values(query).some((value) => value !== undefined);
    return <Paper>{isFiltered ? <NothingMatches /> : <NothingYet />}</Paper>;
  }
  return (
    <Paper style={{ overflow: "hidden" }}>
      {isReadingOn && <BackToLive query={query} />}
      <div role="list" aria-label="Events" aria-live={isPaused ? "off" : "polite"}>
        {rows.map((event) => (
          <div key={event.id} role="listitem" className="timeline-item">
            <EventRow
              event={event}
              isNew={arrived.has(event.id)}
              withCustomer
              open={open}
            />
          </div>
        ))}
      </div>
      <LoadMore list={events} />
    </Paper>
  );
}

/** Drops the older pages, so that the newest are followed again. */
function BackToLive({ query }: Pick<LiveEventsOptions, "query">) {
  const { id } = useWorkspace();
  const queries = useQueryClient();
  const goBack = () => {
    scrollTo({ top: 0 });
    void queries.resetQueries({ queryKey: listKey(id, "GET /events", { query }) });
  };
  return (
    <Button
      className="back-to-live"
      size="compact-sm"
      leftSection={<ArrowUpIcon />}
      onClick={goBack}
    >
      Back to the newest
    </Button>
  );
}

function NothingYet() {
  const { id } = useWorkspace();
  return (
    <EmptyState
      icon={BroadcastIcon}
      title="Waiting for the first event"
      action={
        <Button {...linkTo(`/w/${id}/getting-started`)} leftSection={<RocketIcon />}>
          How to send one
        </Button>
      }
    >
      Leave this page open: it shows events within seconds of their arrival.
    </EmptyState>
  );
}

function NothingMatches() {
  const { setFilters } = useFilters();
  const clear = () =>
    setFilters({
      name: undefined,
      customer_id: undefined,
      range: undefined,
      since: undefined,
      until: undefined,
    });
  return (
    <EmptyState
      icon={FilterRemoveIcon}
      title="No event matches"
      action={<Button variant="default" onClick={clear}>Clear the filters</Button>}
    >
      New ones that match appear here by themselves.
    </EmptyState>
  );
}
