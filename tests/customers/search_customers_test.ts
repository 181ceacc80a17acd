import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

const customers = 20_000;

/** Number of rows of customers that this connection has read so far. */
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
    insert into public.customers (workspace_id, email, first_name, last_name, attributes)
    select
      ${workspaceId}, 'mail' || i || '@example.com', 'First' || i, 'Last' || i,
      jsonb_build_object('name', 'Whole' || i)
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
  for (
    const [q, expected, most] of [
      ["mail", 51, 2_100],
      ["mail19", 51, 1_200],
      ["first7777", 1, 1],
      ["whole7777", 1, 1],
      ["nobody", 0, 0],
    ] as const
  ) {
    const { found, read } = await search(q);
    assert.equal(found, expected, q);
    assert(read <= most, `"${q}" read ${read} rows`);
  }
});

Deno.test("customer search pages through all that begin with a text, newest first, however many do", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  // Every field has texts that over 2,000 customers begin with, and rarer ones.
  await db.sql`
    insert into public.customers (workspace_id, email, first_name, last_name, attributes)
    select
      ${workspaceId},
      case when i % 3 > 0 then (array['Ada', 'bob', 'cy'])[1 + i % 2] || i || '@example.com' end,
      case when i % 5 > 0 then (array['Cleo', 'ada', 'Bob'])[1 + i % 3] end,
      case when i % 7 > 0 then (array['Bobson', 'Adams', 'X' || i])[1 + i % 3] end,
      case i % 4
        when 0 then jsonb_build_object('name', (array['Mona', 'adele', 'Y' || i])[1 + i % 3])
        when 1 then jsonb_build_object('name', i)
        else '{}'
      end
    from generate_series(1, 8000) as i`;
  const list = async (q: string, limit: number) => {
    const ids: string[] = [];
    for (let before = "ffffffff-ffff-ffff-ffff-ffffffffffff";;) {
      const page = await db.sql.begin(async (tx) => {
        await tx`
          select
            set_config('signalpost.workspace_id', ${workspaceId}, true),
            set_config('signalpost.scopes', 'customers:read', true)`;
        return await tx<{ id: string }[]>`
          select private.search_customers(${workspaceId}, ${q}, ${before}, ${limit}) as id`;
      });
      ids.push(...page.map(({ id }) => id));
      if (page.length < limit) return ids;
      before = ids.at(-1)!;
    }
  };
  const texts = [
    "a",
    "ADA",
    "bob",
    "bob b",
    "cleo x1",
    "x79",
    "ada1",
    "bob7999",
    "cleo",
    "mona",
    "y7",
    "nobody",
  ];
  for (const q of texts) {
    const expected = await db.sql<{ id: string }[]>`
      select id from public.customers
      where starts_with(lower(email), lower(${q})) or starts_with(lower(last_name), lower(${q}))
        or starts_with(lower(first_name || coalesce(' ' || last_name, '')), lower(${q}))
        or jsonb_typeof(attributes -> 'name') = 'string'
          and starts_with(lower(attributes ->> 'name'), lower(${q}))
      order by id desc`;
    assert.deepEqual(await list(q, 1_000), expected.map(({ id }) => id), q);
  }
});

Deno.test("customer search and the filter by e-mail ignore the case of Greek, with its final sigma", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`
    insert into public.customers (workspace_id, email, first_name, last_name)
    values
      (${workspaceId}, 'νίκος@example.com', 'Νίκος', 'Παπαδάς'),
      (${workspaceId}, 'ΝΊΚΟΣ@example.com', 'ΝΊΚΟΣ', 'ΠΑΠΑΔΆΣ'),
      (${workspaceId}, 'νίκοσ@example.com', 'νίκοσ', 'παπαδάσ')`;
  const find = (
    statement: (tx: postgres.TransactionSql) => postgres.PendingQuery<postgres.Row[]>,
  ) =>
    db.sql.begin(async (tx) => {
      await tx`
        select
          set_config('signalpost.workspace_id', ${workspaceId}, true),
          set_config('signalpost.scopes', 'customers:read', true)`;
      return (await statement(tx)).length;
    });
  const last = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  const texts = ["νίκος", "ΝΊΚΟΣ", "νίκοσ", "νίκος παπαδάς", "ΝΊΚΟΣ ΠΑΠΑΔΆΣ", "παπαδάς", "ΠΑΠΑΔΆΣ"];
  for (const q of [...texts, "νίκος@example.com", "ΝΊΚΟΣ@"]) {
    const found = await find((tx) =>
      tx`select private.search_customers(${workspaceId}, ${q}, ${last}, 51)`
    );
    assert.equal(found, 3, q);
  }
  for (const email of ["νίκος@example.com", "ΝΊΚΟΣ@EXAMPLE.COM", "νίκοσ@example.com"]) {
    const found = await find((tx) =>
      tx`select private.customers_with_email(${workspaceId}, ${email}, ${last}, 51)`
    );
    assert.equal(found, 3, email);
    const [row] = await db.sql`
      select count(*)::integer as count
      from private.find_customers_by_email(${workspaceId}, array[${email}])`;
    assert.equal(row!.count, 3, email);
  }
});
