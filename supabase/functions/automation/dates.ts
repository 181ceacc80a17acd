import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import type { DateRule } from "../_shared/journeys/definition.ts";
import { chooseZone, dateInstant } from "./local_time.ts";
import type { DatabaseTime } from "./run_queue.ts";

/** A customer whose date a journey waits for. */
interface DueDate {
  workspace_id: string;
  journey_id: string;
  customer_id: string;
  rule: DateRule;
  /** Value of the field that the rule names. */
  value: unknown;
  zone: string | null;
  workspace_zone: string;
  /** Time of the timer; for a known date, the date itself. */
  due_at: Date;
  entered_for: Date | null;
}

/** A date that became known later than this after it had passed begins no run. */
const graceMs = 86_400_000;
const limit = 500;

/** Computes the dates of some customers, and lets those enter whose date has come. */
export async function workDates(
  sql: Sql,
  { now, databaseNow }: { now: Date; databaseNow: DatabaseTime },
): Promise<number> {
  const at = databaseNow?.toISOString() ?? null;
  const due = await sql<DueDate[]>`
    select * from private.due_dates(${limit}, coalesce(${at}::timestamptz, clock_timestamp()))
  `;
  if (due.length === 0) return 0;
  const results = due.map((date) => decideDate(date, now.getTime()));
  await retryLostRaces(() =>
    sql`
      select private.complete_dates(
        ${JSON.stringify(results)}::text::jsonb, coalesce(${at}::timestamptz, clock_timestamp())
      )
    `
  );
  return due.length;
}

/** Decides when a customer enters: now, for the date that has come, or at `due_at`. */
export function decideDate(date: DueDate, now: number) {
  const { workspace_id, journey_id, customer_id, rule, value, due_at, entered_for } = date;
  const zone = chooseZone(rule.zone === "workspace" ? null : date.zone, date.workspace_zone);
  const instant = dateInstant(value, rule, zone);
  const key = { workspace_id, journey_id, customer_id };
  const isKnown = due_at.getTime() === instant;
  const isDone = instant === undefined || entered_for?.getTime() === instant ||
    (instant < now - graceMs && !isKnown);
  if (isDone) return { ...key, due_at: null, enter_at: null };
  const time = new Date(instant).toISOString();
  return instant > now
    ? { ...key, due_at: time, enter_at: null }
    : { ...key, due_at: null, enter_at: time };
}
