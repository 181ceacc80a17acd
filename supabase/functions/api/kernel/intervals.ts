import type { CallerSql } from "./caller.ts";

/** A range of time that is divided into hours or days. */
export interface IntervalRange {
  since: string;
  until: string;
  interval: "hour" | "day";
}

/** Selects the bounds of a range as `since`, the start of its first interval, and `until`. */
export function selectBounds(tx: CallerSql, { since, until, interval }: IntervalRange) {
  return tx`
    select
      date_trunc(${interval}, ${since}::text::timestamptz, 'UTC') as since,
      ${until}::text::timestamptz as until
  `;
}

/** The start `g.at` of each interval between bounds that the statement has as `b`. */
export function listIntervals(tx: CallerSql, { interval }: Pick<IntervalRange, "interval">) {
  return tx`
    generate_series(
      b.since, b.until - interval '1 microsecond',
      -- A day of the database's own time zone may have 23 hours.
      case ${interval} when 'day' then interval '24 hours' else interval '1 hour' end
    ) as g (at)
  `;
}
