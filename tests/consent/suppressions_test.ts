import assert from "node:assert/strict";
import type postgres from "postgres";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const email = "ada@example.com";
const now = new Date("2026-11-22T12:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

interface Entry {
  reason: "manual" | "hard_bounce" | "soft_bounces" | "complaint";
  until?: string;
}

async function suppress(
  sql: postgres.Sql,
  workspaceId: string,
  { at = now, ...entry }: Entry & { at?: Date },
) {
  const entries = JSON.stringify([{ email, source: "feedback", ...entry }]);
  await sql`
    select private.suppress(
      ${workspaceId}, ${entries}::text::jsonb, ${at.toISOString()}::text::timestamptz
    )`;
}

async function readState(sql: postgres.Sql, workspaceId: string, at = later(0)) {
  const [row] = await sql<{ reason: string; until: Date | null; suppressed: boolean }[]>`
    select
      s.reason, s.until,
      private.is_suppressed(${workspaceId}, 'email', 'ADA@example.com', ${at}::text::timestamptz)
        as suppressed
    from public.suppressions as s
    where s.workspace_id = ${workspaceId}`;
  return row && { ...row, until: row.until?.toISOString() ?? null };
}

const soft: Entry = { reason: "soft_bounces", until: later(30) };
const hard: Entry = { reason: "hard_bounce" };
const complaint: Entry = { reason: "complaint" };

const cases: { title: string; entries: Entry[]; kept: Entry }[] = [
  { title: "a hard bounce replaces soft ones", entries: [soft, hard], kept: hard },
  { title: "soft bounces do not replace a hard one", entries: [hard, soft], kept: hard },
  { title: "a complaint replaces a hard bounce", entries: [hard, complaint], kept: complaint },
  { title: "nothing replaces a complaint", entries: [complaint, hard, soft], kept: complaint },
  {
    title: "a longer time replaces a shorter one",
    entries: [soft, { ...soft, until: later(60) }, { ...soft, until: later(10) }],
    kept: { ...soft, until: later(60) },
  },
];

Deno.test("the stronger suppression of an address stays", async (t) => {
  await using db = await createTestDatabase();
  for (const { title, entries, kept } of cases) {
    await t.step(title, async () => {
      const workspaceId = await createWorkspace(db.sql);
      for (const entry of entries) await suppress(db.sql, workspaceId, entry);
      const state = await readState(db.sql, workspaceId);
      assert.deepEqual(state, { until: null, ...kept, suppressed: true });
    });
  }
});

Deno.test("a suppression ends at its time, and is replaced and deleted after it", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await suppress(db.sql, workspaceId, soft);
  assert.equal((await readState(db.sql, workspaceId, later(29.9)))?.suppressed, true);
  assert.equal((await readState(db.sql, workspaceId, later(30)))?.suppressed, false);
  const next = { ...soft, until: later(40) };
  await suppress(db.sql, workspaceId, { ...next, at: new Date(later(31)) });
  assert.equal((await readState(db.sql, workspaceId, later(32)))?.suppressed, true);
  await db.sql`select private.delete_expired_suppressions(10, ${later(40)}::text::timestamptz)`;
  assert.equal(await readState(db.sql, workspaceId), undefined);
});

Deno.test("a complaint withdraws all topics of the address", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const [topic] = await db.sql<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'news', 'News', 'subscribed') returning id`;
  await suppress(db.sql, workspaceId, complaint);
  const [row] = await db.sql<{ is: boolean }[]>`
    select private.is_subscribed(${workspaceId}, 'email', ${email}, ${topic!.id}) as is`;
  assert.equal(row!.is, false);
});

Deno.test("a suppression outlives the erasure of the customer, without the address", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const [id] = await ingestFor(db.sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email } },
  ]);
  await suppress(db.sql, workspaceId, hard);
  await eraseCustomers(db.sql, workspaceId, [id!]);
  await runFrequentTasksFor(db.sql, { seconds: 90 });
  assert.equal((await readState(db.sql, workspaceId))?.suppressed, true);
  const rows = await db.sql`select from private.erasures`;
  assert.equal(rows.length, 0, "the erasure has ended");
  const [row] = await db.sql`select s.address from public.suppressions as s`;
  assert.equal(row!.address, null);
});
