import { Anchor, Button, Paper, Text } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { formatDay } from "../../format/clock.ts";
import { useZone } from "../../format/use_zone.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { firstEventOf, type Question } from "./question.ts";

const dayMs = 86_400_000;

/** Says that a time range has no answer, and leads to the time when the event happened. */
export function NothingInRange({ question }: { question: Question }) {
  const last = useLastReceived(question);
  const { since, until } = question.body;
  const value = question.kind === "counts" ? question.body.value : undefined;
  const isElsewhere = last !== undefined && (last.at < since || last.at >= until);
  return (
    <Paper>
      <EmptyState
        icon={GraphIcon}
        title={value === undefined
          ? "No events in this time range"
          : "No numbers in this time range"}
        action={isElsewhere && <Button variant="default" onClick={last.show}>{last.label}</Button>}
      >
        {isElsewhere
          ? (
            <>
              <LastReceived {...last} />{" "}
              Explore counts events by the time they happened, Overview by the time they arrived.
            </>
          )
          : value === undefined
          ? "Choose a longer time range, or other events."
          : <NoNumbers name={firstEventOf(question)} value={value} />}
      </EmptyState>
    </Paper>
  );
}

function NoNumbers({ name, value }: { name: string; value: string }) {
  return (
    <>
      No <bdi>{name}</bdi> in this time range has a number as{" "}
      <bdi>{value}</bdi>. Texts do not count. Choose a longer time range, or another property.
    </>
  );
}

/** Says that the events which arrive happened before the time range, as those of an import. */
export function EarlierEvents({ question }: { question: Question }) {
  const last = useLastReceived(question);
  if (last === undefined || last.at >= question.body.since) return null;
  return (
    <Text size="sm" c="dimmed">
      <LastReceived {...last} />{" "}
      <Anchor component="button" type="button" inherit underline="always" onClick={last.show}>
        {last.label}
      </Anchor>
    </Text>
  );
}

/** The first event of a question as it arrived last, and a function that shows its days. */
function useLastReceived(question: Question) {
  const { setFilters } = useFilters();
  const zone = useZone();
  const name = firstEventOf(question);
  const event = useApiItem("GET /events", { query: { name, limit: 1 } }).data?.data[0];
  if (event === undefined) return undefined;
  const at = event.occurred_at;
  return {
    name,
    at,
    label: `Show the 30 days before ${formatDay(at, zone)}`,
    show: () => setFilters({ range: undefined, ...daysUntil(at) }),
  };
}

function LastReceived({ name, at }: { name: string; at: string }) {
  const zone = useZone();
  return (
    <>
      The last <bdi>{name}</bdi> that arrived happened on {formatDay(at, zone)}.
    </>
  );
}

/** Thirty days, the last of which is the day of the moment. */
function daysUntil(at: string) {
  const end = (Math.floor(Date.parse(at) / dayMs) + 1) * dayMs;
  return { since: new Date(end - 30 * dayMs).toISOString(), until: new Date(end).toISOString() };
}
