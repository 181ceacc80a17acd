import { Button, Paper } from "@mantine/core";
import { ArrowUpIcon, BroadcastIcon, FilterRemoveIcon, RocketIcon } from "@primer/octicons-react";
import { useIntersection } from "@mantine/hooks";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { LoadMore } from "../../ui/load_more.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { countOf } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EventRows } from "./event_rows.tsx";
import type { Feed } from "./feed.ts";
import { type LiveEventsOptions, useLiveEvents } from "./use_live_events.ts";

interface LiveEventListProps {
  query: LiveEventsOptions["query"];
  isPaused: boolean;
}

export function LiveEventList({ query, isPaused }: LiveEventListProps) {
  const { ref: top, entry } = useIntersection();
  // Who has scrolled on reads; what arrives would push it out of sight.
  const isAway = entry?.isIntersecting === false;
  const live = useLiveEvents({ query, isHeld: isPaused || isAway });
  const { list, rows, feed } = live;
  if (list.isPending) return <TableSkeleton columns={3} />;
  if (list.isError && rows.length === 0) {
    return (
      <Paper>
        <ErrorState error={list.error} retry={list.refetch} />
      </Paper>
    );
  }
  const show = () => {
    scrollTo({ top: 0 });
    live.release();
  };
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <div ref={top} className="top-of-list" />
      {live.error && <ErrorState error={live.error} />}
      <Waiting feed={feed} show={show} />
      <Paper style={{ overflow: "hidden" }}>
        {rows.length === 0 && (isFiltered ? <NothingMatches /> : <NothingYet />)}
        <EventRows label="Events" events={rows} added={feed.added} isLive />
        <LoadMore list={list} />
      </Paper>
    </>
  );
}

/** How many arrived while somebody was reading; pressing it shows them. */
function Waiting({ feed, show }: { feed: Feed; show: () => void }) {
  const count = feed.waiting.length;
  return (
    <div role="status" className="waiting">
      {count > 0 && (
        <Button radius="xl" size="compact-md" leftSection={<ArrowUpIcon />} onClick={show}>
          {feed.isCut ? "More than " : ""}
          {countOf(count, "new event")}
        </Button>
      )}
    </div>
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
