import assert from "node:assert/strict";
import { createApiKey, createPlan, createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { bundleUploads } from "../../testing/service/bundle_uploads.ts";
import { serve, unpack } from "../../testing/service/hosted_functions.ts";
import { describePlatform } from "../../testing/service/hosted_world.ts";
import { createTestSessions } from "../../testing/service/sessions.ts";

const upload = (await bundleUploads()).get("track")!;

interface Sent {
  status: number;
  eventId: string;
}

/** Two processes of the uploaded function on one database; sends to them in turns. */
async function serveTwice(cleanup: AsyncDisposableStack, db: TestDatabase) {
  const unpacked = cleanup.use(await unpack(upload));
  const { jwks } = await createTestSessions();
  const env = describePlatform({ databaseUrl: db.url, jwks });
  const urls = [1, 2].map(async () => {
    const served = await serve(unpacked, { env, deno: Deno.execPath() });
    return cleanup.use(served).url;
  });
  const started = await Promise.all(urls);
  return async (key: string, entry: object, n: number): Promise<Sent> => {
    const answer = await fetch(`${started[n % 2]}/track`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(entry),
    });
    const { event_id: eventId } = await answer.json();
    return { status: answer.status, eventId };
  };
}

async function countEvents({ sql }: TestDatabase, workspaceId: string): Promise<number> {
  const rows = await sql`select from public.events where workspace_id = ${workspaceId}`;
  return rows.length;
}

Deno.test("two processes of track store one event per idempotency key", async () => {
  await using db = await createTestDatabase();
  await using cleanup = new AsyncDisposableStack();
  const send = await serveTwice(cleanup, db);
  const workspaceId = await createWorkspace(db.sql);
  const key = await createApiKey(db.sql, { workspaceId });
  const keys = 40;
  const sent = await Promise.all(
    Array.from({ length: 4 * keys }, (_, n) => {
      const idempotency_key = `order-${Math.floor(n / 4)}`;
      const entry = { external_id: `person-${n % 7}`, name: "paid", idempotency_key };
      return send(key, entry, n).then(({ eventId }) => [idempotency_key, eventId] as const);
    }),
  );
  const ids = Map.groupBy(sent, ([idempotencyKey]) => idempotencyKey);
  for (const [idempotencyKey, answers] of ids) {
    assert.equal(new Set(answers.map(([, id]) => id)).size, 1, idempotencyKey);
    assert(answers[0]![1]);
  }
  assert.equal(ids.size, keys);
  assert.equal(await countEvents(db, workspaceId), keys);
});

Deno.test("two processes of track share one quota exactly", async () => {
  await using db = await createTestDatabase();
  await using cleanup = new AsyncDisposableStack();
  const send = await serveTwice(cleanup, db);
  const burst = 60;
  const perSecond = 1;
  const planId = await createPlan(db.sql, { ingestPerSecond: perSecond, ingestBurst: burst });
  const workspaceId = await createWorkspace(db.sql, { planId });
  const key = await createApiKey(db.sql, { workspaceId });
  const startedAt = performance.now();
  const sent = await Promise.all(
    Array.from(
      { length: 200 },
      (_, n) => send(key, { anon_id: `visitor-${n}`, name: "viewed" }, n),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const admitted = sent.filter(({ status }) => status === 200).length;
  assert.equal(sent.filter(({ status }) => status === 429).length, 200 - admitted);
  assert.equal(await countEvents(db, workspaceId), admitted);
  const most = burst + Math.ceil(seconds * perSecond);
  assert(admitted >= burst && admitted <= most, `${admitted} of ${burst} to ${most}`);
});
