import { Button, Paper } from "@mantine/core";
import { ArrowUpIcon, BroadcastIcon, RocketIcon } from "@primer/octicons-react";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { ListError } from "../../ui/list_error.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { NoMatches } from "../../ui/no_matches.tsx";
import { LoadMore } from "../../ui/load_more.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { countOf } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EventRows } from "./event_rows.tsx";
import type { Feed } from "./feed.ts";
import { type LiveEventsOptions, useLiveEvents } from "./use_live_events.ts";

interface LiveEventListProps {
  query: LiveEventsOptions["query"];
  isPaused: boolean;
  /** Reports whether new events cannot be read at the moment. */
  setBroken: (isBroken: boolean) => void;
}

export function LiveEventList({ query, isPaused, setBroken }: LiveEventListProps) {
  const { ref: top, entry } = useIntersection();
  // The reader has scrolled on: new rows would push the text out of sight.
  const isAway = entry?.isIntersecting === false;
  const live = useLiveEvents({ query, isHeld: isPaused || isAway });
  const { list, rows, feed } = live;
  useEffect(() => setBroken(live.isBroken), [live.isBroken]);
  if (list.isPending) return <TableSkeleton columns={3} />;
  if (list.isError && rows.length === 0) {
    return (
      <Paper p="md">
        <ListError error={list.error} retry={list.refetch} />
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
      {live.error && <ErrorState error={live.error} retry={live.retry} />}
      <Waiting feed={feed} show={show} />
      <Paper style={{ overflow: "hidden" }}>
        {rows.length === 0 && (isFiltered
          ? (
            <NoMatches title="No matching events">
              New events that match appear here as they arrive.
            </NoMatches>
          )
          : <NothingYet />)}
        <EventRows label="Events" events={rows} added={feed.added} isLive />
        <LoadMore list={list} />
      </Paper>
    </>
  );
}

/** Counts what arrived while the list was held. A click shows it. */
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
          Send an event
        </Button>
      }
    >
      Keep this page open. Events appear here within seconds.
    </EmptyState>
  );
}
