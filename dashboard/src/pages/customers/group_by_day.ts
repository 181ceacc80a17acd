import { formatDay } from "../../format/clock.ts";

interface Day<Event> {
  /** The date, such as "3 Feb 2026". */
  day: string;
  events: Event[];
}

/** Groups events by the day that they occurred on, and keeps their order. */
export function groupByDay<Event extends { occurred_at: string }>(
  events: readonly Event[],
  zone: string,
): Day<Event>[] {
  const days = Map.groupBy(events, ({ occurred_at }) => formatDay(occurred_at, zone));
  return [...days].map(([day, events]) => ({ day, events }));
}
