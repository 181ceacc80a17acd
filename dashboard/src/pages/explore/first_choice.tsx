import { Button, Group, Paper } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { isServiceEvent } from "../../api/service_events.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { useProperties } from "./event_input.tsx";
import { describeMissing } from "./describe_missing.ts";
import { lacksValue, readEvents } from "./question.ts";

/** Most names that are offered at once. */
const mostOffered = 5;

/** Says what a question lacks, with names for it, each one click away. */
export function FirstChoice() {
  const { filters } = useFilters();
  return (
    <Paper>
      {lacksValue(filters)
        ? (
          <EmptyState icon={GraphIcon} title="Choose a property" action={<ValueChoice />}>
            Choose a property that has numbers, such as the total of an order.
          </EmptyState>
        )
        : (
          <EmptyState icon={GraphIcon} title="Choose an event" action={<EventChoice />}>
            {describeMissing(filters)}
          </EmptyState>
        )}
    </Paper>
  );
}

/** Events for the first empty place of the question. */
function EventChoice() {
  const { filters, setFilters } = useFilters();
  const { seen } = useEventTypes();
  const events = readEvents(filters);
  const place = events.findIndex(({ event }) => event === "");
  return (
    <Choice
      names={putOwnFirst(seen.filter((name) => !events.some(({ event }) => event === name)))}
      choose={(event) => setFilters({ events: JSON.stringify(events.with(place, { event })) })}
    />
  );
}

/** Puts the workspace's own events before those of the service. */
function putOwnFirst(names: string[]): string[] {
  return names.toSorted((a, b) => Number(isServiceEvent(a)) - Number(isServiceEvent(b)));
}

/** Properties of the event that are numbers. */
function ValueChoice() {
  const { filters, setFilters } = useFilters();
  const { numeric } = useProperties(readEvents(filters)[0]?.event ?? "");
  return <Choice names={numeric} choose={(value) => setFilters({ value })} />;
}

function Choice({ names, choose }: { names: string[]; choose: (name: string) => void }) {
  if (names.length === 0) return null;
  return (
    <Group gap="xs" justify="center">
      {names.slice(0, mostOffered).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          maw="100%"
          onClick={() => choose(name)}
        >
          <bdi>{name}</bdi>
        </Button>
      ))}
    </Group>
  );
}
