import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createPeople, eraseCustomers, ingestFor } from "../../testing/data/erasures.ts";
import { createSegment, foldAll } from "./fold_world.ts";

const seen = { event: "seen" };
const day = 86_400_000;

/** The sums of a segment's history, and its last count of members. */
async function readHistory(sql: postgres.Sql, segmentId: string) {
  const [row] = await sql`
    select
      sum(entered)::int as entered, sum("left")::int as left,
      (array_agg(members order by hour desc))[1]::int as members
    from public.segment_stats where segment_id = ${segmentId}`;
  return { ...row };
}

/** Runs statements with the rights of a key of the workspace that may write segments. */
function asKey<T>(
  sql: postgres.Sql,
  workspaceId: string,
  run: (tx: postgres.TransactionSql) => Promise<T>,
) {
  return sql.begin(async (tx) => {
    await tx`select set_config('signalpost.workspace_id', ${workspaceId}, true),
      set_config('signalpost.scopes', 'segments:write', true)`;
    return await run(tx);
  });
}

Deno.test("the history of a segment counts its members after a merge and after an erasure", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const segmentId = await createSegment(sql, workspaceId, seen);
  await foldAll(sql, Date.now());
  const ids = await createPeople(sql, workspaceId, 4);
  await foldAll(sql, Date.now());
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 4, left: 0, members: 4 });
  await ingestFor(sql, workspaceId, [
    { kind: "alias", external_id: "person-0", previous_id: "person-1" },
  ] as never);
  await foldAll(sql, Date.now());
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 4, left: 0, members: 3 });
  await eraseCustomers(sql, workspaceId, ids.slice(2, 3));
  await foldAll(sql, Date.now());
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 4, left: 0, members: 2 });
});

Deno.test("a static segment has a history and a list of changes, and follows merges and erasures", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(
      ${workspaceId}, ${sql.json({ name: "Beta", kind: "static" })}) as id`;
  const segmentId = row!.id;
  const ids = await createPeople(sql, workspaceId, 5);
  const change = async (name: "add_to_segment" | "remove_from_segment", customerIds: string[]) => {
    await asKey(sql, workspaceId, (tx) =>
      tx`
        select private.${tx(name)}(
          ${workspaceId}, ${segmentId}, ${tx.json({ customer_ids: customerIds })})`);
  };
  await change("add_to_segment", ids);
  await change("add_to_segment", ids);
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 5, left: 0, members: 5 });
  await change("remove_from_segment", ids.slice(0, 1));
  const changes = await sql`
    select change, cause, count(*)::int as n from public.segment_changes
    where segment_id = ${segmentId} group by 1, 2 order by 1`;
  assert.deepEqual(changes.map((row) => ({ ...row })), [
    { change: "entered", cause: "list", n: 5 },
    { change: "left", cause: "list", n: 1 },
  ]);
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 5, left: 1, members: 4 });
  await ingestFor(sql, workspaceId, [
    { kind: "alias", external_id: "person-1", previous_id: "person-2" },
  ] as never);
  await eraseCustomers(sql, workspaceId, ids.slice(3, 4));
  await foldAll(sql, Date.now());
  assert.deepEqual(await readHistory(sql, segmentId), { entered: 5, left: 1, members: 2 });
});

Deno.test("a customer who is merged away while a fold runs neither enters nor leaves", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const segmentId = await createSegment(sql, workspaceId, seen);
  await foldAll(sql, Date.now());
  const [staying] = await createPeople(sql, workspaceId, 1);
  const gone = crypto.randomUUID();
  // The changes that a fold has found before another transaction commits a merge.
  for (const types of ["{}", "{segment.*}"]) {
    if (types !== "{}") {
      await sql`
        insert into public.destinations (workspace_id, name, url, event_types)
        values (${workspaceId}, 'CRM', 'https://example.com/', ${types}::text[])`;
    }
    const told = await sql`
      select f.customer_id
      from unnest(private.tell_flips(
        ${workspaceId},
        array[
          row(${segmentId}, ${gone}, 'event', true, null)::private.segment_truth,
          row(${segmentId}, ${staying!}, 'event', true, null)::private.segment_truth
        ],
        now()
      )) as f`;
    assert.deepEqual(told.map((one) => one.customer_id), [staying], types);
  }
  assert.equal((await sql`select from public.webhook_messages`).length, 1);
});

Deno.test("explain says when time alone changes the membership of a segment that is named", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const inner = await createSegment(sql, workspaceId, { ...seen, within: "7d" });
  const middle = await createSegment(sql, workspaceId, { not: { segment: inner } });
  const outer = await createSegment(sql, workspaceId, {
    all: [{ segment: inner }, { not: { segment: middle } }],
  });
  await foldAll(sql, Date.now());
  const [customerId] = await createPeople(sql, workspaceId, 1);
  await foldAll(sql, Date.now());
  const [row] = await asKey(
    sql,
    workspaceId,
    (tx) =>
      tx<{ explained: Record<string, never>; ends: number }[]>`
        select
          private.explain_segment(${workspaceId}, ${outer}, ${customerId!}) as explained,
          floor(extract(epoch from e.occurred_at) * 1000)::float8 as ends
        from public.events as e`,
  );
  const { member, changes_at, tree } = row!.explained as unknown as {
    member: boolean;
    changes_at: string;
    tree: {
      all: [{ is: boolean; changes_at: string }, { not: { is: boolean; changes_at: string } }];
    };
  };
  const expected = row!.ends + 7 * day;
  assert.deepEqual([member, tree.all[0].is, tree.all[1].not.is], [true, true, false]);
  for (const at of [changes_at, tree.all[0].changes_at, tree.all[1].not.changes_at]) {
    assert.equal(Date.parse(at), expected);
  }
});
