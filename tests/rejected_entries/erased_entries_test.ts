import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { startTrack } from "../../testing/service/app.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const ada = {
  kind: "identify" as const,
  external_id: "12345",
  anon_id: "7",
  profile: { email: "ada@example.com", phone: "+14155550123" },
};

const aboutAda = [
  { external_id: "12345", nmae: "Ada" },
  { external_id: 12345 },
  { userId: 12345, name: "x" },
  { id: 12345 },
  { anon_id: 7 },
  { phone: "+1 (415) 555-0123" },
  { phone: "1.415.555.0123" },
  { phone: " (+1) 415\u00a0555 [01-23] " },
  { phone: 14155550123 },
  { email: "Ada@Example.com" },
];

const aboutOthers = [
  { external_id: "123456" },
  { external_id: 123456 },
  { external_id: 112345 },
  { external_id: 12345.5 },
  { external_id: "user 12345" },
  { properties: { total: 12345, quantity: 7, order_id: 7 } },
  { note: "external_id: 12345, anon_id: 7," },
  { phone: "+1 (415) 555-01234" },
  { phone: "+44 1415 555 0123" },
  { email: "nada@example.com" },
  { email: "ada@example.com.au" },
];

async function rejectEntries(sql: postgres.Sql, workspaceId: string, entries: readonly unknown[]) {
  const rows = entries.map((entry) => ({
    workspace_id: workspaceId,
    origin: "track",
    entry: JSON.stringify(entry),
    code: "invalid_input",
    error: "Field is bad",
    request_id: crypto.randomUUID(),
  }));
  await sql`select private.reject_entries(${JSON.stringify(rows)})`;
}

Deno.test("rejected entries about an erased customer are erased in any spelling, and no others", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const neighbourId = await createWorkspace(sql);
  const people = await ingestFor(sql, workspaceId, [ada]);
  await rejectEntries(sql, workspaceId, [...aboutAda, ...aboutOthers]);
  await rejectEntries(sql, neighbourId, aboutAda);

  await eraseCustomers(sql, workspaceId, people);
  await runFrequentTasksFor(sql, { seconds: 90 });

  const left = await sql<{ entry: string }[]>`
    select entry from public.rejected_entries where workspace_id = ${workspaceId} order by id`;
  assert.deepEqual(left.map(({ entry }) => JSON.parse(entry)), aboutOthers);
  const kept = await sql`
    select from public.rejected_entries where workspace_id = ${neighbourId}`;
  assert.equal(kept.length, aboutAda.length);
});

Deno.test("a customer with non-numeric ids is found by exact match", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const people = await ingestFor(sql, workspaceId, [
    { kind: "identify", external_id: "ada.1+(x)", anon_id: "a\\d" },
  ]);
  const others = [{ external_id: "ADA.1+(x)" }, { external_id: "ada51+x" }, { anon_id: "a5" }];
  await rejectEntries(sql, workspaceId, [
    { external_id: "ada.1+(x)" },
    { anon_id: "a\\d" },
    ...others,
  ]);

  await eraseCustomers(sql, workspaceId, people);
  await runFrequentTasksFor(sql, { seconds: 90 });

  const left = await sql<
    { entry: string }[]
  >`select entry from public.rejected_entries order by id`;
  assert.deepEqual(left.map(({ entry }) => JSON.parse(entry)), others);
});

Deno.test("rejected entries of 64 KiB are searched in steps, without omissions", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const people = await ingestFor(sql, workspaceId, [ada]);
  const padding = "x".repeat(60_000);
  const entries = Array.from({ length: 30 }, (_, i) => {
    return i % 10 === 9 ? { padding, external_id: 12345 } : { padding, external_id: 100 + i };
  });
  await rejectEntries(sql, workspaceId, entries);
  await eraseCustomers(sql, workspaceId, people);

  await runFrequentTasksFor(sql, { seconds: 90 });

  assert.equal((await sql`select from public.rejected_entries`).length, 27);
  assert.equal((await sql`select from private.erasures`).length, 0);
});

Deno.test("an entry about a customer who is being erased cannot be resent", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const key = await world.createKey(["track:write"]);
  await using track = await startTrack({ url: world.db.url, key });
  const { body } = await track.send({ type: "identify", external_id: "ada" });
  await track.send({
    events: [{ external_id: "ada", name: 1 }, { external_id: "bob", name: 1 }],
  });
  const rows = await sql<{ id: string; about: string }[]>`
    select id, entry::jsonb ->> 'external_id' as about from public.rejected_entries`;
  const token = await world.signInAs("admin");
  const act = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
  const resend = (about: string) =>
    act("POST", `/rejected-entries/${rows.find((row) => row.about === about)!.id}/resend`, {
      entry: { external_id: about, name: "order" },
    });
  assert.equal((await act("DELETE", `/customers/${body.customer_id}`)).status, 204);
  const refused = await resend("ada");
  assert.deepEqual([refused.status, refused.body.error], [
    409,
    "Cannot resend entry: it is about a customer who is being erased",
  ]);
  assert.equal((await resend("bob")).status, 200);
  const customers = await sql<{ value: string }[]>`select value from public.identities`;
  assert.deepEqual(customers.map(({ value }) => value), ["bob"]);
});
