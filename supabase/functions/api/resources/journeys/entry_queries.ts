import type { CallerSql } from "../../kernel/caller.ts";
import type { JourneyKey } from "./journey_queries.ts";

/** A customer as a call names them: by id, or by one of the external ids. */
export interface NamedCustomer {
  workspaceId: string;
  customer_id?: string | undefined;
  external_id?: string | undefined;
}

/** Returns the id of a customer; undefined without one. */
export async function findCustomerId(
  tx: CallerSql,
  { workspaceId, customer_id, external_id }: NamedCustomer,
): Promise<string | undefined> {
  const rows = await tx<{ id: string | null }[]>`
    select private.find_entrant(
      ${workspaceId}, ${customer_id ?? null}, ${external_id ?? null}
    ) as id
  `;
  return rows[0]?.id ?? undefined;
}

export interface NewEntry extends JourneyKey {
  customerId: string;
  data: Readonly<Record<string, unknown>>;
}

/** Outcome of an entry: a run, or the reason why none began. */
export interface EntryOutcome {
  run_id?: string;
  entered?: false;
  reason?: string;
}

/** Lets a customer enter a journey. */
export async function enterCustomer(
  tx: CallerSql,
  { workspaceId, journeyId, customerId, data }: NewEntry,
): Promise<EntryOutcome> {
  const entry = JSON.stringify({ customer_id: customerId, data });
  const rows = await tx<{ outcome: EntryOutcome }[]>`
    select private.enter_journey(${workspaceId}, ${journeyId}, ${entry}::text::jsonb) as outcome
  `;
  return rows[0]!.outcome;
}

/** Puts runs back at a step; returns how many. */
export async function replayRuns(
  tx: CallerSql,
  { workspaceId, journeyId, ...options }: JourneyKey & { run_ids: readonly string[]; from: string },
): Promise<number> {
  const rows = await tx<{ replayed: number }[]>`
    select private.replay_runs(
      ${workspaceId}, ${journeyId}, ${JSON.stringify(options)}::text::jsonb
    ) as replayed
  `;
  return rows[0]!.replayed;
}
