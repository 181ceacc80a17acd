import assert from "node:assert/strict";
import type { Schedule } from "../../supabase/functions/_shared/rate_limit/throttle_log.ts";
import { createThrottleLog } from "../../supabase/functions/_shared/rate_limit/throttle_log.ts";
import { QuotaError } from "../../supabase/functions/_shared/rate_limit/quota_error.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { createApiKey, createPlan, createWorkspace } from "../../testing/data/factories.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { startTrack } from "../../testing/service/app.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

/** Runs scheduled work at once, and waits for it on request. */
function createWorks() {
  const works: unknown[] = [];
  const schedule: Schedule = (work) => void works.push(work());
  return { schedule, done: () => Promise.all(works) };
}

Deno.test("usage counts requests over a quota by time, quota and caller", async () => {
  const works = createWorks();
  await using world = await createApiWorld({ schedule: works.schedule });
  const { sql, workspaceId } = world;
  const planId = await createPlan(sql, {
    apiPerSecond: 1,
    apiBurst: 3,
    ingestPerSecond: 1,
    ingestBurst: 2,
  });
  await sql`update public.workspaces set plan_id = ${planId} where id = ${workspaceId}`;
  const key = await createApiKey(sql, { workspaceId, scopes: ["track:write"] });
  const track = startTrack({ url: world.db.url, key, schedule: works.schedule });
  await using inbound = await createInboundWorld({ on: world, schedule: works.schedule });
  const source = await inbound.createSource();
  await using _ = track;
  const entry = { external_id: "u", name: "seen" };
  const repeat = <Result>(call: () => Promise<Result>) =>
    Promise.all(Array.from({ length: 20 }, call));
  // Tokens come back meanwhile, so the test counts how many of these are refused.
  const tracked = await repeat(() => track.send(entry));
  const delivered = await repeat(() => inbound.deliver({ source, body: JSON.stringify(entry) }));
  const owner = await world.signInAs("owner", workspaceId);
  const called = await repeat(() => world.send({ path: "/usage", token: owner, workspaceId }));
  await works.done();

  const [byKey, bySource, byUser] = [tracked, delivered, called].map((responses) =>
    responses.filter(({ status }) => status === 429).length
  );
  const total = byKey! + bySource! + byUser!;
  for (const count of [byKey!, bySource!, byUser!]) assert(count > 0);
  await sql`update public.workspaces set plan_id = 'scale' where id = ${workspaceId}`;
  await sql`delete from private.rate_limit_buckets`;
  const reader = await world.createKey(["events:read"], workspaceId);
  await using other = await createApiWorld({ db: world.db });
  const { status, body } = await other.send({ path: "/usage", token: reader });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.totals.throttled, total);
  assert.equal(body.data.at(-1).throttled + body.data.at(-2).throttled, total);
  const [keyRow] = await sql<{ id: string }[]>`
    select id from private.api_keys where last_four = ${key.slice(-4)}`;
  const seen = body.throttled_by.map(({ last_at: _, ...row }: { last_at: string }) => row);
  const expected = [
    {
      bucket: "ingest",
      reason: "rate",
      caller: { kind: "api_key", id: keyRow!.id },
      requests: byKey,
    },
    { bucket: "api", reason: "rate", caller: { kind: "user" }, requests: byUser },
    {
      bucket: "ingest",
      reason: "rate",
      caller: { kind: "source", id: source.id },
      requests: bySource,
    },
  ];
  for (const row of expected) assert(seen.some((each: unknown) => isLike(each, row)), row.bucket);
  assert.equal(seen.length, 3);
});

/** True if a value has everything that another one has. */
function isLike(value: unknown, like: unknown): boolean {
  if (typeof like !== "object" || like === null) return value === like;
  return Object.entries(like).every(([name, inner]) =>
    isLike((value as Record<string, unknown>)[name], inner)
  );
}

Deno.test("requests over the daily bytes are counted with their reason", async () => {
  const works = createWorks();
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const planId = await createPlan(sql, { ingestBytesPerDay: 1 });
  await sql`update public.workspaces set plan_id = ${planId} where id = ${workspaceId}`;
  await sql`
    insert into public.usage_stats (workspace_id, hour, events, customers, bytes)
    values (${workspaceId}, date_trunc('hour', now()), 1, 0, 5)`;
  const key = await createApiKey(sql, { workspaceId, scopes: ["track:write"] });
  await using track = startTrack({ url: world.db.url, key, schedule: works.schedule });
  assert.equal((await track.send({ external_id: "u", name: "seen" })).status, 429);
  await works.done();
  const rows = await sql`select bucket, reason, requests::int from public.throttle_stats`;
  assert.deepEqual([...rows], [{ bucket: "ingest", reason: "bytes", requests: 1 }]);
});

Deno.test("createThrottleLog() stores many refusals with one statement, and no other errors", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const scheduled: (() => unknown)[] = [];
  const logged: string[] = [];
  const sql = connectDatabase({
    url: db.url,
    role: "signalpost_ingest",
    applicationName: "test-throttles",
  });
  let at = Date.parse("2026-11-20T10:59:59Z");
  const throttles = createThrottleLog({
    sql,
    log: createLog({ name: "test", write: (line) => logged.push(line) }),
    now: () => new Date(at),
    schedule: (work) => void scheduled.push(work),
  });
  const error = new QuotaError({ bucket: "api", reason: "rate" }, "Over", {});
  const caller = { kind: "api_key", id: crypto.randomUUID() } as const;
  for (let n = 0; n < 1000; n++) throttles.note(error, { workspaceId, caller });
  at += 2000;
  throttles.note(error, { workspaceId, caller });
  throttles.note(error, { workspaceId: crypto.randomUUID(), caller });
  throttles.note(new ApiError("rate_limited", "Busy"), { workspaceId, caller });
  assert.equal(scheduled.length, 1);
  await scheduled[0]!();
  throttles.note(error, { workspaceId, caller });
  assert.equal(scheduled.length, 2);
  await scheduled[1]!();
  const rows = await db.sql`
    select private.rfc3339(hour) as hour, requests::int from public.throttle_stats order by 1`;
  assert.deepEqual([...rows], [
    { hour: "2026-11-20T10:00:00.000Z", requests: 1000 },
    { hour: "2026-11-20T11:00:00.000Z", requests: 2 },
  ]);
  await sql.end({ timeout: 1 });
  // Without the database nothing fails, and the loss is in the log.
  throttles.note(error, { workspaceId, caller });
  await scheduled[2]!();
  assert.match(logged.join("\n"), /throttled requests not counted/);
});

Deno.test("private.delete_old_throttles() deletes counts after 400 days, in batches", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`
    insert into public.throttle_stats
    select ${workspaceId}, date_trunc('day', now(), 'UTC') - n * interval '1 day', 'api', 'rate',
      'user', gen_random_uuid(), 1
    from generate_series(398, 405) as n`;
  const remove = async () =>
    (await db.sql`select private.delete_old_throttles(3) as count`)[0]!.count;
  assert.deepEqual([await remove(), await remove(), await remove()], [3, 2, 0]);
  const [row] = await db.sql`select count(*)::int as count from public.throttle_stats`;
  assert.equal(row!.count, 3);
});
