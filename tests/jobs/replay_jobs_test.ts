import assert from "node:assert/strict";
import { workJobs } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Messages a millisecond apart, each of which failed every attempt, these a minute apart. */
async function failMessages(
  { sql, workspaceId, clock }: DispatchWorld,
  { destinationId, messages, attempts }: {
    destinationId: string;
    messages: number;
    attempts: number;
  },
): Promise<void> {
  await sql`
    with made as (
      insert into public.webhook_messages (workspace_id, id, event_type, body, created_at)
      select ${workspaceId}, private.uuid_v7(t.at), 'order_created', '{}', t.at
      from generate_series(1, ${messages}::integer) as n
      cross join lateral (select ${clock.now}::timestamptz + n * interval '1 millisecond') as t (at)
      returning id, created_at
    )
    insert into public.deliveries (
      workspace_id, id, destination_id, message_id, message_created_at, event_type,
      attempt_number, trigger, ok, status_code, attempted_at
    )
    select
      ${workspaceId}, private.uuid_v7(t.at), ${destinationId}, m.id, m.created_at, 'order_created',
      a, case when a = 1 then 'event' else 'retry' end, false, 500, t.at
    from made as m
    cross join generate_series(1, ${attempts}::integer) as a
    cross join lateral (select m.created_at + (a - 1) * interval '1 minute') as t (at)
  `;
  clock.advance(messages + attempts * minuteMs);
}

/** A tenant next door, with a job to send one missed message. */
async function startRecovery(world: DispatchWorld): Promise<string> {
  const { sql } = world;
  const workspaceId = await createWorkspace(sql);
  const { id } = await world.addDestination({ workspaceId });
  await sql`
    insert into public.missed_messages (workspace_id, destination_id, message_id, message_created_at)
    values (${workspaceId}, ${id}, private.uuid_v7(${world.clock.now}), ${world.clock.now})
  `;
  const [row] = await sql<{ job_id: string }[]>`select job_id from ops.recover_missed(${id})`;
  return row!.job_id;
}

async function startReplay({ sql, clock }: DispatchWorld, destinationId: string) {
  const [row] = await sql<{ job_id: string; matched: number }[]>`
    select * from ops.replay_failed(${destinationId}, '-infinity', ${clock.now})
  `;
  return row!;
}

async function step(world: DispatchWorld): Promise<number> {
  world.clock.advance(secondMs);
  return await workJobs(world.sql, world.clock.now);
}

async function readJob({ sql }: DispatchWorld, id: string) {
  const [job] = await sql<{ state: string; done: number; total: number }[]>`
    select state, done, total from public.jobs where id = ${id}
  `;
  return { ...job! };
}

Deno.test("a replay reads at most 1,000 attempts at a time, in turn with other jobs", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await failMessages(world, { destinationId: id, messages: 1_500, attempts: 3 });
  const { job_id, matched } = await startReplay(world, id);
  const recovery = await startRecovery(world);
  assert.equal(matched, 1_500);

  await step(world);
  assert.deepEqual(await readJob(world, job_id), { state: "running", done: 0, total: 1_500 });
  await step(world);
  assert.deepEqual(await readJob(world, recovery), { state: "done", done: 1, total: 1 });

  await step(world);
  await step(world);
  // The first 3,000 attempts were all followed by another.
  assert.deepEqual(await readJob(world, job_id), { state: "running", done: 0, total: 1_500 });
  await step(world);
  await step(world);
  assert.deepEqual(await readJob(world, job_id), { state: "done", done: 1_500, total: 1_500 });
  assert.equal(await step(world), 0);
  const [queue] = await world.sql`
    select count(*)::int as rows, min(attempts) as attempts
    from private.webhook_queue where destination_id = ${id}
  `;
  assert.deepEqual({ ...queue }, { rows: 1_500, attempts: 3 });
});

Deno.test("replay_failed() counts up to 10,000 failures at once, and the rest while they are queued", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await failMessages(world, { destinationId: id, messages: 11_500, attempts: 1 });

  const { job_id, matched } = await startReplay(world, id);

  assert.equal(matched, 10_000);
  let job = await readJob(world, job_id);
  for (; job.state !== "done"; job = await readJob(world, job_id)) {
    await step(world);
    assert(job.done <= job.total);
  }
  assert.deepEqual(job, { state: "done", done: 11_500, total: 11_500 });
});

Deno.test("a replay is counted before it starts, and the count changes nothing", async () => {
  await using world = await createDispatchWorld();
  await using api = await createApiWorld({ db: world.db });
  const { id } = await world.addDestination();
  const start = +world.clock.now;
  await failMessages(world, { destinationId: id, messages: 12, attempts: 2 });
  const { workspaceId } = world;
  const token = await api.createKey(["destinations:write"], workspaceId);
  const ask = async (body: Record<string, string>, more: { token?: string; id?: string } = {}) => {
    const path = `/destinations/${more.id ?? id}/replay-preview`;
    return await api.send({ method: "POST", path, token: more.token ?? token, body });
  };
  const count = async (body: Record<string, string>) => (await ask(body)).body;
  const since = new Date(start).toISOString();
  const until = new Date(start + 10 * minuteMs).toISOString();

  assert.deepEqual(await count({ since, until }), { matched: 12, is_exact: true });
  const sixth = new Date(start + minuteMs + 6).toISOString();
  assert.deepEqual(await count({ since: sixth, until }), { matched: 7, is_exact: true });
  await world.sql`
    update public.deliveries set ok = true, status_code = 200
    where message_id in (select id from public.webhook_messages order by id limit 2)
      and attempt_number = 2
  `;
  assert.deepEqual(await count({ since, until }), { matched: 10, is_exact: true });
  await world.sql`update public.destinations set enabled = false`;
  assert.deepEqual(await count({ since, until }), { matched: 10, is_exact: true });

  assert.equal((await ask({ since: until, until: since })).status, 400);
  assert.equal((await ask({ until })).status, 400);
  const [unknown] = await world.sql`select private.uuid_v7(${world.clock.now}) as id`;
  assert.equal((await ask({ since }, { id: unknown!.id })).status, 404);
  const reader = await api.createKey(["destinations:read", "deliveries:read"], workspaceId);
  assert.equal((await ask({ since }, { token: reader })).status, 403);
  const stranger = await api.createKey(["destinations:write"], await createWorkspace(world.sql));
  assert.equal((await ask({ since }, { token: stranger })).status, 404);

  const [kept] = await world.sql`
    select (select count(*) from public.jobs)::int as jobs,
      (select count(*) from private.webhook_queue)::int as queued,
      (select count(*) from public.audit_log)::int as audited
  `;
  assert.deepEqual({ ...kept }, { jobs: 0, queued: 0, audited: 0 });
});

Deno.test("the count of a replay looks at 10,000 failures, and says if there are more", async () => {
  await using world = await createDispatchWorld();
  await using api = await createApiWorld({ db: world.db });
  const { id } = await world.addDestination();
  const token = await api.createKey(["destinations:write"], world.workspaceId);
  const count = async () => {
    const body = { since: "2000-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" };
    const path = `/destinations/${id}/replay-preview`;
    return (await api.send({ method: "POST", path, token, body })).body;
  };
  await failMessages(world, { destinationId: id, messages: 10_000, attempts: 1 });
  assert.deepEqual(await count(), { matched: 10_000, is_exact: true });
  world.clock.advance(60 * secondMs);
  await failMessages(world, { destinationId: id, messages: 1, attempts: 1 });
  assert.deepEqual(await count(), { matched: 10_000, is_exact: false });
});

Deno.test("a job that fails goes behind all others", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await failMessages(world, { destinationId: id, messages: 1, attempts: 1 });
  const { job_id } = await startReplay(world, id);
  const recovery = await startRecovery(world);
  await world.sql.unsafe(`
    alter table private.webhook_queue add constraint is_broken check (destination_id <> '${id}')
  `);

  await assert.rejects(step(world), { constraint_name: "is_broken" });
  await step(world);
  assert.equal((await readJob(world, recovery)).state, "done");
  assert.deepEqual(await readJob(world, job_id), { state: "pending", done: 0, total: 1 });

  await world.sql`alter table private.webhook_queue drop constraint is_broken`;
  await step(world);
  assert.deepEqual(await readJob(world, job_id), { state: "done", done: 1, total: 1 });
});
