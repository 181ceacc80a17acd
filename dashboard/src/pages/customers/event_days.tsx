import { Text } from "@mantine/core";
import type { TrackedEvent } from "../../api/types.ts";
import { formatDay } from "../../format/clock.ts";
import { useZone } from "../../format/use_zone.ts";
import { EventRows } from "../events/event_rows.tsx";
import { groupByDay } from "./group_by_day.ts";

/** Events below the day that they occurred on, by the clock of the chosen time zone. */
export function EventDays({ events }: { events: TrackedEvent[] }) {
  const zone = useZone();
  return groupByDay(events, zone).map(({ day, events }) => (
    <section key={day} aria-label={day}>
      <Text component="h2" size="xs" fw={600} c="dimmed" className="day-heading">
        {nameDay(day, zone)}
      </Text>
      <EventRows label={`Events on ${day}`} events={events} />
    </section>
  ));
}

function nameDay(day: string, zone: string): string {
  return day === formatDay(Date.now(), zone) ? `Today, ${day}` : day;
}
