import type { Sql } from "../_shared/db/connect.ts";
import { type Rehearsal, rehearseCustomer, type RehearsedCount } from "./rehearse_customer.ts";
import type { DatabaseTime } from "./run_queue.ts";

/** Number of customers in one step. The progress is stored after each step. */
const stepCustomers = 20;
const maxExamples = 10;

interface TakenRehearsal extends Rehearsal {
  id: string;
  claim: string;
  customer_ids: string[];
}

/**
 * Rehearses a journey for some more customers, and stores the result. Nothing else is written.
 * Returns how many turns that took, at least 1; 0 when no rehearsal is due.
 */
export async function workRehearsals(sql: Sql, now: DatabaseTime): Promise<number> {
  const at = now?.toISOString() ?? null;
  const [taken] = await sql<
    (Omit<TakenRehearsal, "since" | "until"> & { since: Date; until: Date })[]
  >`
    select * from private.take_rehearsal(
      ${stepCustomers}, coalesce(${at}::timestamptz, clock_timestamp())
    )`;
  if (taken === undefined) return 0;
  const { workspace_id, id, claim, journey_id, definition, customer_ids } = taken;
  const since = taken.since.toISOString();
  const until = taken.until.toISOString();
  const rehearsal: Rehearsal = { workspace_id, journey_id, definition, since, until };
  const counts: RehearsedCount[] = [];
  const examples: unknown[] = [];
  let turns = 1;
  for (const customerId of customer_ids) {
    const wanted = maxExamples - examples.length;
    const result = await rehearseCustomer(sql, rehearsal, { customerId, examples: wanted });
    counts.push(...result.counts);
    examples.push(...result.examples);
    turns += result.turns;
  }
  await sql`
    select private.record_rehearsal(
      ${JSON.stringify({ workspace_id, id, claim })}::text::jsonb,
      ${JSON.stringify({ done: customer_ids.length, counts, examples })}::text::jsonb,
      coalesce(${at}::timestamptz, clock_timestamp())
    )`;
  return turns;
}
