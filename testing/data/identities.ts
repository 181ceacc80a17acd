import assert from "node:assert/strict";
import type postgres from "postgres";
import type { IngestEntry, IngestResult } from "../../supabase/functions/_shared/entries/ingest.ts";
import type { TestDatabase } from "../postgres/database.ts";
import { ingestEntries } from "./ingest.ts";

/** A workspace under load from several connections, each as separate as two function instances. */
export interface World {
  workspaceId: string;
  sql: postgres.Sql;
  /** Sends the calls at once, one connection and one transaction each; results in their order. */
  race(...calls: Call[]): Promise<CallResult[]>;
  /** Sends one call and waits for its result. */
  call(call: Call): Promise<CallResult>;
  /** The customer that an event on this id is attached to now. */
  resolve(id: { external_id: string } | { anon_id: string }): Promise<string>;
}

export type Call = Omit<IngestEntry, "workspace_id">;
export type CallResult = IngestResult;

/** A new workspace on the test's database. */
export async function createWorld(db: TestDatabase): Promise<World> {
  const [row] = await db.sql<{ id: string }[]>`
    insert into public.workspaces (name, plan_id) values ('World', 'scale') returning id`;
  const workspaceId = row!.id;
  const call = async (entry: Call): Promise<CallResult> => {
    const [result] = await ingestEntries(db.sql, [{ ...entry, workspace_id: workspaceId }]);
    return result!;
  };
  return {
    workspaceId,
    sql: db.sql,
    call,
    race: (...calls) => Promise.all(calls.map(call)),
    async resolve(id) {
      const result = await call({ kind: "event", name: "probe", ...id });
      assert(result.ok);
      return result.customer_id;
    },
  };
}

/**
 * Asserts what is true after any interleaving: every customer has an id, every event has an
 * identity, and the number of stored entries is the number of ok results.
 */
export async function assertIntact(world: World, stored: number): Promise<void> {
  const [row] = await world.sql<
    { events: number; customers: number; orphan_customers: number; orphan_events: number }[]
  >`
    select
      (select count(*)::int from public.events as e
        where e.workspace_id = ${world.workspaceId}) as events,
      (select count(*)::int from public.customers as c
        where c.workspace_id = ${world.workspaceId}) as customers,
      (select count(*)::int from public.customers as c
        where c.workspace_id = ${world.workspaceId} and not exists (
          select from public.identities as i
          where i.workspace_id = c.workspace_id and i.customer_id = c.id)) as orphan_customers,
      (select count(*)::int from public.events as e
        where e.workspace_id = ${world.workspaceId} and not exists (
          select from public.identities as i
          where i.workspace_id = e.workspace_id and i.id = e.identity_id)) as orphan_events`;
  assert.equal(row!.orphan_customers, 0, "a customer that no id leads to");
  assert.equal(row!.orphan_events, 0, "an event that leads to no customer");
  assert.equal(row!.events, stored, "entries stored");
}

/** Fails on the first result that is not ok. */
export function assertAllOk(results: CallResult[]): void {
  for (const result of results) assert(result.ok, JSON.stringify(result));
}
