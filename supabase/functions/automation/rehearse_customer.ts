import type { Sql } from "../_shared/db/connect.ts";
import type { DateRule, Definition } from "../_shared/journeys/definition.ts";
import { advance } from "./advance.ts";
import { decideDate } from "./dates.ts";
import { runDry } from "./run_dry.ts";
import { type ClaimedRun, completeRuns } from "./run_queue.ts";

/** A definition and the time over which it is run. */
export interface Rehearsal {
  workspace_id: string;
  journey_id: string;
  /** With ids instead of keys. */
  definition: Definition;
  /** RFC 3339: later events count. */
  since: string;
  /** RFC 3339: the end of the rehearsed time. */
  until: string;
}

/** One count of a rehearsal; an empty step stands for the journey as a whole. */
export interface RehearsedCount {
  step: string;
  /** The kinds of journey figures, and also `waiting`, `not_entered:<reason>` and `cut_off`. */
  kind: string;
  count: number;
}

/** Result for one customer. */
export interface RehearsedCustomer {
  counts: RehearsedCount[];
  /** Example runs with their paths, for people to read. */
  examples: unknown[];
  turns: number;
}

/** Most events, changes of the segment and merges of one customer. */
const maxHappenings = 500;
/** Most turns of one customer: a loop with short waits may not come to an end. */
const maxTurns = 500;
/** Longest time for which the customer's locks are held, in ms. */
const maxMs = 5_000;

interface Happening {
  /** RFC 3339. */
  at: string;
  /** An event that can begin a run, other news, or what else begins or moves runs. */
  kind: "trigger" | "news" | "segment" | "date" | "merge";
}

/** A rehearsal with its customer, and the customers who were merged into them since its start. */
interface Rehearsed extends Rehearsal {
  customer_ids: string[];
}

/**
 * Runs a journey over the recorded history of one customer, with the real engine, in a transaction
 * that is rolled back. The clock moves from event to event and from timer to timer.
 */
export async function rehearseCustomer(
  sql: Sql,
  rehearsal: Rehearsal,
  { customerId, examples }: { customerId: string; examples: number },
): Promise<RehearsedCustomer> {
  return await runDry(sql, async (tx) => {
    await tx`set local lock_timeout = '1s'`;
    const [started] = await tx<{ result: { customer_ids: string[]; happenings: Happening[] } }[]>`
      select private.start_rehearsed(
        ${JSON.stringify(rehearsal)}::text::jsonb, ${customerId}, ${maxHappenings + 1}
      ) as result`;
    const { customer_ids, happenings } = started!.result;
    if (customer_ids.length === 0) return { counts: [], examples: [], turns: 0 };
    const rehearsed = { ...rehearsal, customer_ids };
    const dates = await listDates(tx, rehearsed);
    const all = [...happenings, ...dates].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const { turns, counts } = await passTime(tx, rehearsed, all);
    const end = await finish(tx, rehearsed, examples);
    return { counts: [...end.counts, ...counts], examples: end.examples, turns };
  });
}

/** Finds out when the dates of the customers let them enter. */
async function listDates(tx: Sql, rehearsed: Rehearsed): Promise<Happening[]> {
  const { definition: { trigger }, since, until } = rehearsed;
  if (!("date" in trigger)) return [];
  const rule: DateRule = trigger;
  const rows = await tx<
    { customer_id: string; value: unknown; zone: string | null; workspace_zone: string }[]
  >`
    select * from private.rehearsed_dates(
      ${JSON.stringify(rehearsed)}::text::jsonb,
      array(select e::uuid from jsonb_array_elements_text(
        ${JSON.stringify(rehearsed.customer_ids)}::text::jsonb
      ) as e)
    )`;
  const { workspace_id, journey_id } = rehearsed;
  return rows.flatMap((row) => {
    const due_at = new Date(since);
    const date = { workspace_id, journey_id, rule, due_at, entered_for: null, ...row };
    const decided = decideDate(date, Date.parse(since));
    const at = decided.enter_at === null ? decided.due_at : since;
    if (at === null || Date.parse(at) > Date.parse(until)) return [];
    const { customer_id } = row;
    return [{ at, kind: "date" as const, customer_id, enter_at: decided.enter_at ?? at }];
  });
}

/** Moves the clock from happening to happening and from timer to timer. */
async function passTime(
  tx: Sql,
  rehearsed: Rehearsed,
  happenings: readonly Happening[],
): Promise<{ turns: number; counts: RehearsedCount[] }> {
  const { definition, until } = rehearsed;
  const key = JSON.stringify({ ...rehearsed, definition: undefined });
  const refusals = new Map<string, number>();
  const giveUpAt = performance.now() + maxMs;
  let isCut = happenings.length > maxHappenings;
  let next = 0;
  let turns = 0;
  let isAnyInside = false;
  for (;;) {
    const due = isAnyInside ? await findNext(tx, key) : Infinity;
    const happening = happenings[next];
    const nextAt = happening === undefined ? Infinity : Date.parse(happening.at);
    const now = Math.min(due, nextAt);
    if (now === Infinity || now > Date.parse(until)) break;
    if (++turns > maxTurns || next > maxHappenings || performance.now() > giveUpAt) {
      isCut = true;
      break;
    }
    if (nextAt > due) {
      await takeTurn(tx, { key, definition, now });
      continue;
    }
    const first = next;
    while (next < happenings.length && Date.parse(happenings[next]!.at) === nextAt) next++;
    const together = happenings.slice(first, next);
    if (!isAnyInside && together.every(({ kind }) => kind === "news")) continue;
    for (const reason of await happen(tx, { key, at: happening!.at, together })) {
      if (reason !== null && reason !== "holdout") {
        refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      } else isAnyInside = true;
    }
  }
  const counts = [...refusals].map(([reason, count]) => {
    return { step: "", kind: `not_entered:${reason}`, count };
  });
  return { turns, counts: isCut ? [...counts, { step: "", kind: "cut_off", count: 1 }] : counts };
}

async function findNext(tx: Sql, key: string): Promise<number> {
  const [row] = await tx<{ at: Date | null }[]>`
    select private.next_rehearsed(${key}::text::jsonb) as at`;
  return row?.at?.getTime() ?? Infinity;
}

/** Lets the happenings of one instant take effect; returns for each entry why it was refused. */
async function happen(
  tx: Sql,
  { key, at, together }: { key: string; at: string; together: readonly Happening[] },
): Promise<(string | null)[]> {
  const rows = await tx<{ reason: string | null }[]>`
    select h.reason
    from private.rehearse_happenings(
      ${key}::text::jsonb, ${at}, ${JSON.stringify(together)}::text::jsonb
    ) as h`;
  return rows.map(({ reason }) => reason);
}

/** Moves the runs that are due, as a worker does. */
async function takeTurn(
  tx: Sql,
  { key, definition, now }: { key: string; definition: Definition; now: number },
): Promise<void> {
  const at = new Date(now);
  const claimed = await tx<ClaimedRun[]>`
    select * from private.claim_rehearsed(${key}::text::jsonb, ${at.toISOString()})`;
  await completeRuns(
    tx,
    claimed.map((run) => ({ ...run, ...advance(definition, run, now) })),
    at,
  );
}

async function finish(
  tx: Sql,
  rehearsed: Rehearsed,
  examples: number,
): Promise<Pick<RehearsedCustomer, "counts" | "examples">> {
  const key = JSON.stringify({ ...rehearsed, definition: undefined });
  const [row] = await tx<{ result: Pick<RehearsedCustomer, "counts" | "examples"> }[]>`
    select private.finish_rehearsed(${key}::text::jsonb, ${examples}) as result`;
  return row!.result;
}
