import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

const customers = 20_000;

/** How many rows of customers this connection has read so far. */
async function countRead(sql: postgres.ISql): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select (seq_tup_read + idx_tup_fetch)::integer as rows
    from pg_stat_xact_user_tables where relname = 'customers'`;
  return row!.rows;
}

Deno.test("customer search reads few rows of a workspace that was never analyzed", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`alter table public.customers set (autovacuum_enabled = off)`;
  await db.sql`
    insert into public.customers (workspace_id, email, first_name, last_name)
    select ${workspaceId}, 'mail' || i || '@example.com', 'First' || i, 'Last' || i
    from generate_series(1, ${customers}) as i`;
  const search = async (q: string) => {
    return await db.sql.begin(async (tx) => {
      await tx`
        select
          set_config('signalpost.workspace_id', ${workspaceId}, true),
          set_config('signalpost.scopes', 'customers:read', true)`;
      const before = await countRead(tx);
      const found = await tx`
        select private.search_customers(
          ${workspaceId}, ${q}, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 51)`;
      return { found: found.length, read: await countRead(tx) - before };
    });
  };
  for (const [q, expected] of [["mail19", 51], ["first7777", 1], ["nobody", 0]] as const) {
    const { found, read } = await search(q);
    assert.equal(found, expected, q);
    assert(read < customers / 2, `"${q}" read ${read} rows`);
  }
});
