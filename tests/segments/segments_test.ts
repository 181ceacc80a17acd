import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createPlan, createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createSegment, editSegment, foldAll, readNextCheck } from "./fold_world.ts";

const bought = { event: "order_completed", within: "7d" };
const lapsed = { all: [{ event: "order_completed" }, { not: bought }] };

async function order(
  sql: postgres.Sql,
  workspaceId: string,
  { id, at = Date.now() }: { id: string; at?: number },
) {
  await ingestEntries(sql as never, [{
    workspace_id: workspaceId,
    kind: "event",
    external_id: id,
    name: "order_completed",
    occurred_at: new Date(at).toISOString(),
    properties: { total: 10 },
  }]);
}

async function readMessages(sql: postgres.Sql, workspaceId: string) {
  const rows = await sql<{ body: string }[]>`
    select m.body from public.webhook_messages as m
    where m.workspace_id = ${workspaceId} order by m.created_at, m.id`;
  return rows.map(({ body }) => {
    const { event_type, payload } = JSON.parse(body);
    return [event_type, payload.cause, payload.customer.external_id];
  });
}

async function subscribe(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'CRM', 'https://example.com/', '{segment.*}')`;
}

Deno.test("a window ends at its instant and not before, with a message that names the cause", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await subscribe(sql, workspaceId);
  await createSegment(sql, workspaceId, lapsed);
  const now = Date.now();
  await foldAll(sql, now);
  const at = now - 5 * 86_400_000;
  await order(sql, workspaceId, { id: "ada", at });
  await foldAll(sql, now + 1000);
  const end = at + 7 * 86_400_000;
  assert.equal(await readNextCheck(sql, workspaceId), end);
  await foldAll(sql, end - 1);
  assert.deepEqual(await readMessages(sql, workspaceId), []);
  await foldAll(sql, end);
  assert.deepEqual(await readMessages(sql, workspaceId), [["segment.entered", "time", "ada"]]);
  await order(sql, workspaceId, { id: "ada" });
  await foldAll(sql, end + 1);
  assert.deepEqual((await readMessages(sql, workspaceId))[1], ["segment.left", "event", "ada"]);
});

Deno.test("the first computation and an edit send no messages, and the old members stand meanwhile", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await subscribe(sql, workspaceId);
  await order(sql, workspaceId, { id: "ada" });
  const id = await createSegment(sql, workspaceId, bought);
  await foldAll(sql, Date.now());
  const read = async () =>
    (await sql`select state, members::int from public.segments where id = ${id}`)[0];
  assert.deepEqual({ ...await read() }, { state: "ready", members: 1 });
  const [built] = await sql`select cursor_at from private.features`;
  for (let n = 2; n < 12; n++) {
    const condition = { ...bought, count: { gte: n } };
    await editSegment(sql, { workspaceId, id, condition });
    assert.deepEqual({ ...await read() }, { state: "computing", members: 1 });
  }
  await foldAll(sql, Date.now());
  assert.deepEqual({ ...await read() }, { state: "ready", members: 0 });
  const features = await sql`select cursor_at from private.features`;
  assert.deepEqual([...features], [built], "another threshold reads no history");
  assert.deepEqual(await readMessages(sql, workspaceId), []);
});

Deno.test("a segment about a topic follows the customer's address and the topic's default", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const [topic] = await sql<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'news', 'News', 'unsubscribed') returning id`;
  const identify = async (email: string | null) => {
    await ingestEntries(sql as never, [
      { workspace_id: workspaceId, kind: "identify", external_id: "ada", profile: { email } },
    ] as never);
    await foldAll(sql, Date.now());
  };
  const id = await createSegment(sql, workspaceId, { topic: topic!.id, subscribed: true });
  const readMembers = async () =>
    (await sql`select members::int from public.segments where id = ${id}`)[0]!.members;
  await identify("ada@example.com");
  assert.equal(await readMembers(), 0);
  const change = {
    address: "ada@example.com",
    topic_id: topic!.id,
    subscribed: true,
    source: "api",
  };
  await sql`select private.set_consents(${workspaceId}, ${sql.json([change])})`;
  await foldAll(sql, Date.now());
  assert.equal(await readMembers(), 1);
  await identify("ada@example.org");
  assert.equal(await readMembers(), 0, "nobody joined with the new address");
  await sql`update public.topics set default_state = 'subscribed' where id = ${topic!.id}`;
  await foldAll(sql, Date.now());
  assert.equal(await readMembers(), 1);
  await identify(null);
  assert.equal(await readMembers(), 0, "without an address nobody is subscribed");
});

Deno.test("a segment about anniversaries follows the time zone of the workspace", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const now = Date.parse("2026-11-23T20:00Z");
  await ingestEntries(sql as never, [{
    workspace_id: workspaceId,
    kind: "identify",
    external_id: "ada",
    attributes: { born: "1990-11-24" },
  }] as never);
  const condition = { field: "attributes.born", op: "anniversary_today" };
  const id = await createSegment(sql, workspaceId, condition as never);
  const readMembers = async () =>
    (await sql`select members::int from public.segments where id = ${id}`)[0]!.members;
  await foldAll(sql, now);
  assert.equal(await readMembers(), 0);
  await sql`update public.workspaces set timezone = 'Asia/Tokyo' where id = ${workspaceId}`;
  await foldAll(sql, now);
  assert.equal(await readMembers(), 1);
});

Deno.test("a segment follows those that it names, in one fold; a circle is refused", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await subscribe(sql, workspaceId);
  const inner = await createSegment(sql, workspaceId, bought);
  await createSegment(sql, workspaceId, { all: [{ segment: inner }] });
  await foldAll(sql, Date.now());
  await order(sql, workspaceId, { id: "ada" });
  await sql`select private.fold_segments()`;
  // Messages of one commit have no order among them.
  assert.deepEqual((await readMessages(sql, workspaceId)).toSorted(), [
    ["segment.entered", "event", "ada"],
    ["segment.entered", "segment", "ada"],
  ]);
  const [outer] = await sql<{ id: string }[]>`select id from public.segments where id <> ${inner}`;
  await assert.rejects(
    editSegment(sql, { workspaceId, id: inner, condition: { segment: outer!.id } }),
    { code: "SP400", message: "must not depend on its own segment" },
  );
});

Deno.test("the audit finds a wrong member, and nothing else", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const id = await createSegment(sql, workspaceId, bought);
  for (const name of ["ada", "bob"]) await order(sql, workspaceId, { id: name });
  await foldAll(sql, Date.now());
  assert.equal((await sql`select from ops.audit_segments(1)`).length, 0);
  await sql`
    delete from public.segment_members where ctid = (
      select ctid from public.segment_members where segment_id = ${id} limit 1
    )`;
  const found = await sql`select segment_id, is_member, is_true from ops.audit_segments(1)`;
  assert.deepEqual([...found], [{ segment_id: id, is_member: false, is_true: true }]);
  const [lag] = await sql`select audited::int, differences::int, signals::int from ops.segment_lag`;
  assert.deepEqual({ ...lag }, { audited: 4, differences: 1, signals: 0 });
});

Deno.test("the state of a deleted segment goes, and a plan limits how many there are", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const planId = await createPlan(sql, { limits: { max_segments: 1 } });
  const workspaceId = await createWorkspace(sql, { planId });
  const id = await createSegment(sql, workspaceId, bought);
  await assert.rejects(createSegment(sql, workspaceId, bought), { code: "SPLIM" });
  await order(sql, workspaceId, { id: "ada" });
  await foldAll(sql, Date.now());
  await sql.begin(async (tx) => {
    await tx`select set_config('signalpost.workspace_id', ${workspaceId}, true),
      set_config('signalpost.scopes', 'segments:write', true)`;
    await tx`select private.delete_segment(${workspaceId}, ${id})`;
  });
  await foldAll(sql, Date.now() + 8 * 86_400_000);
  const left = await sql`
    select (select count(*) from private.feature_marks) + (select count(*) from private.features)
      + (select count(*) from public.segment_members) + (select count(*) from private.segment_jobs)
      + (select count(*) from private.event_interests) as rows`;
  assert.equal(Number(left[0]!.rows), 0);
});

Deno.test("a bot with thousands of events costs one row of state, and a workspace without segments none", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const quiet = await createWorkspace(sql);
  const workspaceId = await createWorkspace(sql);
  await createSegment(sql, workspaceId, bought);
  const total = { event: "order_completed", sum: { property: "total", gte: 10_000 } };
  const id = await createSegment(sql, workspaceId, total);
  await foldAll(sql, Date.now());
  const at = new Date().toISOString();
  const entry = { kind: "event" as const, external_id: "bot", name: "order_completed" };
  for (const workspace_id of [workspaceId, quiet]) {
    const entries = Array.from(
      { length: 2000 },
      () => ({ ...entry, workspace_id, occurred_at: at, properties: { total: 5 } }),
    );
    await ingestEntries(sql as never, entries);
  }
  assert.equal((await sql`select from private.signals where workspace_id = ${quiet}`).length, 0);
  await foldAll(sql, Date.now());
  const marks = await sql`select cardinality(marks) as n from private.feature_marks`;
  assert.deepEqual([...marks], [{ n: 16 }]);
  const buckets = await sql`select sum::int from private.feature_buckets`;
  assert.deepEqual([...buckets], [{ sum: 10_000 }]);
  const [members] = await sql`select members::int from public.segments where id = ${id}`;
  assert.equal(members!.members, 1);
});
