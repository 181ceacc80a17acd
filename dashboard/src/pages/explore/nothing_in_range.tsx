import { Button, Paper } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { formatDay } from "../../format/clock.ts";
import { useZone } from "../../format/use_zone.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { firstEventOf, type Question } from "./question.ts";

const dayMs = 86_400_000;

/** Thirty days, the last of which is the day of the moment. */
function daysUntil(at: string) {
  const end = (Math.floor(Date.parse(at) / dayMs) + 1) * dayMs;
  return { since: new Date(end - 30 * dayMs).toISOString(), until: new Date(end).toISOString() };
}

/** Says that a time range has no answer, and leads to the time when the event last happened. */
export function NothingInRange({ question }: { question: Question }) {
  const { setFilters } = useFilters();
  const zone = useZone();
  const event = firstEventOf(question);
  const { since, until } = question.body;
  const newest = useApiItem("GET /events", { query: { name: event, limit: 1 } }).data?.data[0];
  const at = newest?.occurred_at;
  const isElsewhere = at !== undefined && (at < since || at >= until);
  if (!isElsewhere) {
    return (
      <Paper>
        <EmptyState icon={GraphIcon} title="No events in this time range">
          Choose a longer time range, or other events.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper>
      <EmptyState
        icon={GraphIcon}
        title="No events in this time range"
        action={
          <Button
            variant="default"
            onClick={() => setFilters({ range: undefined, ...daysUntil(at) })}
          >
            Show the 30 days until then
          </Button>
        }
      >
        The newest <bdi>{event}</bdi> happened on{" "}
        {formatDay(at, zone)}. Explore counts events by the time they happened, Overview by the time
        they arrived.
      </EmptyState>
    </Paper>
  );
}
