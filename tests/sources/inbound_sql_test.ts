import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { allowLongPartitionWork } from "../../testing/data/partitions.ts";

interface ReceiptOverrides {
  received_at?: string;
  body?: string | null;
  customer_ids?: readonly string[];
  rejectedEntries?: readonly unknown[];
}

async function recordReceipt(
  sql: postgres.Sql,
  workspaceId: string,
  { rejectedEntries = [], ...overrides }: ReceiptOverrides = {},
): Promise<string> {
  const receipt = {
    workspace_id: workspaceId,
    source_id: crypto.randomUUID(),
    received_at: new Date().toISOString(),
    is_verified: true,
    outcome: "accepted",
    status_code: 200,
    headers: {},
    body: "{}",
    body_bytes: 2,
    accepted: 1,
    duplicates: 0,
    ignored: 0,
    rejected: 0,
    results: [],
    request_id: crypto.randomUUID(),
    ...overrides,
  };
  const rows = await sql<{ id: string }[]>`
    select private.record_receipt(${JSON.stringify(receipt)}, ${
    JSON.stringify(rejectedEntries)
  }) as id
  `;
  return rows[0]!.id;
}

function runAs<Result>(
  sql: postgres.Sql,
  role: string,
  work: (tx: postgres.TransactionSql) => Promise<Result>,
) {
  return sql.begin(async (tx) => {
    await tx.unsafe(`set local role ${role}`);
    return await work(tx);
  });
}

const tables = [
  "public.inbound_sources",
  "private.inbound_secrets",
  "private.inbound_tokens",
  "public.inbound_receipts",
  "private.inbound_receipts_default",
  "public.rejected_entries",
  "private.rejected_entries_default",
];

Deno.test("the function's role executes what inbound needs, and reads and writes no tables", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  for (const table of tables) {
    for (const role of ["signalpost_ingest", "anon"]) {
      const read = runAs(db.sql, role, (tx) => tx.unsafe(`select from ${table}`));
      await assert.rejects(read, { code: "42501" }, `${role} can read ${table}`);
      const write = runAs(db.sql, role, (tx) => tx.unsafe(`delete from ${table}`));
      await assert.rejects(write, { code: "42501" }, `${role} can write ${table}`);
    }
  }
  await runAs(db.sql, "signalpost_ingest", async (tx) => {
    await recordReceipt(tx as unknown as postgres.Sql, workspaceId);
    await tx`select private.find_inbound_sources(array[${crypto.randomUUID()}::uuid])`;
    await tx`select private.find_customers_by_email(${workspaceId}, array['a@b.co'])`;
  });
  for (const role of ["signalpost_user", "signalpost_key", "authenticated", "anon"]) {
    const find = runAs(db.sql, role, (tx) =>
      tx`
        select private.find_inbound_sources(array[${crypto.randomUUID()}::uuid])
      `);
    await assert.rejects(find, { code: "42501" }, `${role} can find secrets`);
  }
});

Deno.test("a receipt and its rejected entries are stored together or not at all", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const good = {
    workspace_id: workspaceId,
    origin: "inbound",
    source_id: crypto.randomUUID(),
    entry: "{}",
    code: "invalid_input",
    error: "x",
    request_id: crypto.randomUUID(),
  };
  const id = await recordReceipt(db.sql, workspaceId, { rejectedEntries: [good, good] });
  const rows = await db.sql`select receipt_id, rejected_at, id from public.rejected_entries`;
  assert.deepEqual(rows.map(({ receipt_id }) => receipt_id), [id, id]);
  const times = await db.sql`
    select private.uuid_v7_time(id) = rejected_at as same from public.rejected_entries
    union all select private.uuid_v7_time(id) = received_at from public.inbound_receipts
  `;
  assert.deepEqual(times.map(({ same }) => same), [true, true, true]);
  const bad = recordReceipt(db.sql, workspaceId, {
    rejectedEntries: [{ ...good, origin: "window" }],
  });
  await assert.rejects(bad, { code: "23514" });
  const counts = await db.sql`select count(*)::int as n from public.inbound_receipts`;
  assert.equal(counts[0]?.n, 1);
});

Deno.test("receipts are kept for 30 days and rejected entries for 7, in daily partitions", async () => {
  await using db = await createTestDatabase();
  const kept = await db.sql`
    select table_name, keep::text from private.partition_policies
    where table_name in ('inbound_receipts', 'rejected_entries') order by 1
  `;
  assert.deepEqual(kept.map((row) => ({ ...row })), [
    { table_name: "inbound_receipts", keep: "30 days" },
    { table_name: "rejected_entries", keep: "7 days" },
  ]);
  const partitions = async (table: string) => {
    const rows = await db.sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = ${`public.${table}`}::regclass
    `;
    return rows.map(({ name }) => name).filter((name) => !name.endsWith("_default")).length;
  };
  const before = [await partitions("inbound_receipts"), await partitions("rejected_entries")];
  assert.deepEqual(before, [4, 4]);
  await allowLongPartitionWork(db.sql);
  await db.sql`select private.drop_expired_partitions(now() + interval '9 days')`;
  const after = [await partitions("inbound_receipts"), await partitions("rejected_entries")];
  assert.equal(after[0], 4);
  assert.ok(after[1]! < 4);
});

Deno.test("erase_receipts() removes the bodies about a customer, and no others", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const [gone, stays] = [crypto.randomUUID(), crypto.randomUUID()];
  const erased = await recordReceipt(db.sql, workspaceId, {
    customer_ids: [gone, stays],
  });
  const kept = await recordReceipt(db.sql, workspaceId, { customer_ids: [stays] });
  const [row] = await db.sql`
    insert into private.erasures (workspace_id, customer_ids, step)
    values (${workspaceId}, array[${gone}]::uuid[], 'receipts')
    returning (private.erase_receipts(erasures, 5000, now())).rows as count`;
  assert.equal(row!.count, 1);
  const bodies = await db.sql`select id, body from public.inbound_receipts`;
  assert.equal(bodies.find(({ id }) => id === erased)?.body, null);
  assert.equal(bodies.find(({ id }) => id === kept)?.body, "{}");
});
