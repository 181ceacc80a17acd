import assert from "node:assert/strict";
import type postgres from "postgres";
import type { IngestEntry } from "../../supabase/functions/_shared/entries/ingest.ts";
import { ingestEntries } from "./ingest.ts";

/** Stores entries one batch; returns the customer of each. */
export async function ingestFor(
  sql: postgres.Sql,
  workspaceId: string,
  entries: readonly Omit<IngestEntry, "workspace_id">[],
): Promise<string[]> {
  const rows = entries.map((entry) => ({ ...entry, workspace_id: workspaceId }));
  const results = await ingestEntries(sql, rows);
  return results.map((result) => {
    assert(result.ok);
    return result.customer_id;
  });
}

/** Customers of one event each. */
export function createPeople(sql: postgres.Sql, workspaceId: string, count: number) {
  const entries = Array.from({ length: count }, (_, i) => {
    return { kind: "event" as const, name: "seen", external_id: `person-${i}` };
  });
  return ingestFor(sql, workspaceId, entries);
}

/** Erases customers as a key of their workspace does, up to what private.run_erasures() does. */
export async function eraseCustomers(
  sql: postgres.Sql,
  workspaceId: string,
  customerIds: readonly string[],
): Promise<void> {
  await sql.begin((tx) => eraseWithin(tx, workspaceId, customerIds));
}

/** Like `eraseCustomers`, within the caller's transaction. */
export async function eraseWithin(
  tx: postgres.Sql | postgres.TransactionSql,
  workspaceId: string,
  customerIds: readonly string[],
): Promise<void> {
  await tx`
    select
      set_config('signalpost.workspace_id', ${workspaceId}, true),
      set_config('signalpost.scopes', 'customers:write', true)`;
  for (const id of customerIds) {
    const [row] = await tx`select private.erase_customer(${workspaceId}, ${id}) as erased`;
    assert(row!.erased);
  }
}

/** Runs the tasks of every 10 s for so many seconds, from so many seconds ahead. */
export async function runFrequentTasksFor(
  sql: postgres.Sql,
  { from = 0, seconds }: { from?: number; seconds: number },
): Promise<void> {
  for (let at = from; at < from + seconds; at += 10) {
    await sql`select private.run_frequent_tasks(clock_timestamp() + ${at}::int * interval '1 second')`;
  }
}
