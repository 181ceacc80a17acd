import assert from "node:assert/strict";
import postgres from "postgres";
import { findDelivery } from "../../supabase/functions/api/resources/deliveries/delivery_queries.ts";
import {
  expireClaims,
  workJobs,
} from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import {
  connectDispatch,
  createDispatchWorld,
  type DispatchWorld,
} from "../../testing/service/dispatch_world.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { listNodes } from "../../testing/query_plans/plan_rules.ts";
import {
  type Explained,
  explainStatements,
  readNotice,
} from "../../testing/query_plans/query_plan.ts";
import { countQueue, createWorker } from "../../testing/data/queue.ts";

const secondMs = 1_000;
const exhausted = { action: "exhausted", next_attempt_at: null } as const;

async function finishJobs(world: DispatchWorld): Promise<void> {
  while (await workJobs(world.sql, world.clock.now) > 0);
}

async function replayFailed(world: DispatchWorld, id: string, since: Date) {
  const until = new Date(world.clock.now.getTime() + secondMs);
  const [row] = await world.sql<{ job_id: string; matched: number }[]>`
    select * from ops.replay_failed(${id}, ${since}, ${until})
  `;
  return row!;
}

Deno.test("replay_delivery() sends the same message again, as often as asked", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  const [messageId] = await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.complete(await worker.claim());
  const [delivery] = await world.deliveries();

  for (let i = 2; i <= 12; i++) {
    world.clock.advance(secondMs);
    const [row] = await world.sql`
      select ops.replay_delivery(${delivery!.id}, ${world.clock.now}) as message_id
    `;
    assert.equal(row!.message_id, messageId);
    const [again] = await worker.claim();
    assert.deepEqual(
      [again!.message_id, again!.attempt_number, again!.try_number, again!.trigger],
      [messageId, i, 1, "replay"],
    );
    await worker.complete([again!]);
  }
});

Deno.test("replay_delivery() replaces a pending retry without waiting for it", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim());
  const [delivery] = await world.deliveries();

  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;

  const claimed = await worker.claim();
  assert.deepEqual(claimed.map((d) => [d.attempt_number, d.trigger]), [[2, "replay"]]);
  await worker.complete(claimed);
  assert.equal(await countQueue(world), 0);
});

Deno.test("replay_delivery() of a message that is being sent sends it once more afterwards", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim());
  const [delivery] = await world.deliveries();
  world.clock.advance(5 * secondMs);
  const underway = await worker.claim();

  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;
  assert.deepEqual(await worker.claim(), []);
  await worker.complete(underway);

  const [again] = await worker.claim();
  assert.deepEqual([again!.attempt_number, again!.trigger], [3, "replay"]);
});

Deno.test("replay_delivery() of a message whose dispatcher died starts when its lease runs out", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim());
  const [delivery] = await world.deliveries();
  world.clock.advance(5 * secondMs);
  await worker.claim();
  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;

  world.clock.advance(61 * secondMs);
  assert.equal(await expireClaims(world.sql, world.clock.now), 1);

  const again = await worker.claim();
  assert.deepEqual(
    again.map((d) => [d.attempt_number, d.try_number, d.trigger]),
    [[3, 1, "replay"]],
  );
  await worker.complete(again);
  assert.equal(await countQueue(world), 0);
});

Deno.test("replay_failed() also brings forward released replays", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim(), exhausted);
  const [delivery] = await world.deliveries();
  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;
  const next_attempt_at = new Date(world.clock.now.getTime() + 5 * secondMs);
  await worker.complete(await worker.claim(), { action: "release", next_attempt_at });
  world.clock.advance(secondMs);

  await replayFailed(world, id, new Date(0));
  await finishJobs(world);

  world.clock.advance(10 * secondMs);
  assert.deepEqual((await worker.claim()).map((d) => d.trigger), ["replay"]);
});

Deno.test("a failed replay is retried by the schedule from its start", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim(), exhausted);
  const [delivery] = await world.deliveries();
  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;

  await worker.fail(await worker.claim());

  world.clock.advance(5 * secondMs);
  const [again] = await worker.claim();
  assert.deepEqual([again!.attempt_number, again!.try_number, again!.trigger], [3, 2, "retry"]);
});

Deno.test("replay_delivery() sends even if the circuit is open", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  const worker = createWorker(world);
  await world.publish("order_created", ...Array.from({ length: 10 }, (_, n) => ({ n })));
  await worker.fail(await worker.claim(), exhausted);
  const [delivery] = await world.deliveries();
  await world.publish("order_created", {});
  assert.deepEqual(await worker.claim(), []);

  await world.sql`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;

  assert.deepEqual((await worker.claim()).map((d) => d.trigger), ["replay"]);
});

Deno.test("attempts count even if the dispatcher's clock is behind the database's", async () => {
  await using world = await createDispatchWorld();
  const { sql, workspaceId, clock } = world;
  const { id } = await world.addDestination();
  const [messageId] = await world.publish("order_created", {});
  const worker = createWorker(world);
  const claimed = await worker.claim();
  const attempted_at = new Date(clock.now.getTime() - secondMs);
  const late = { id: createUuidV7(attempted_at), attempted_at };
  await worker.fail(claimed, { ...exhausted, ...late });

  const found = await findDelivery(sql, { workspaceId, deliveryId: late.id });
  assert.deepEqual(found!.attempts.map((d) => d.attempt_number), [1]);
  await sql`select ops.replay_delivery(${late.id}, ${clock.now})`;
  const [again] = await worker.claim();
  assert.deepEqual([again!.message_id, again!.attempt_number], [messageId, 2]);
  const soon = new Date(attempted_at.getTime() + 1);
  await worker.complete([again!], { id: createUuidV7(soon), attempted_at: soon });

  assert.equal((await replayFailed(world, id, new Date(0))).matched, 0);
});

Deno.test("replay_delivery() finds the attempt by its key, in any workspace", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.fail(await worker.claim(), exhausted);
  const [delivery] = await world.deliveries();
  await createWorkspace(world.sql);
  await explainStatements(world.db, "force_generic_plan");
  const statements: Explained[] = [];
  const operator = postgres(world.db.url, {
    max: 1,
    onnotice: (notice) => void statements.push(...readNotice(notice)),
  });

  await operator`select ops.replay_delivery(${delivery!.id}, ${world.clock.now})`;
  await operator.end();

  const scans = statements.flatMap(({ Plan }) => listNodes(Plan)).filter((node) => {
    return node["Relation Name"]?.startsWith("deliveries_");
  });
  assert(scans.length > 0);
  for (const scan of scans) assert.match(scan["Index Cond"] ?? "no index", /workspace_id = /);
});

Deno.test("replay_delivery() explains why it cannot replay", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination();
  await world.publish("order_created", {});
  const worker = createWorker(world);
  await worker.complete(await worker.claim());
  const [delivery] = await world.deliveries();
  const replay = (deliveryId: string) => world.sql`select ops.replay_delivery(${deliveryId})`;
  const unknown = "01a1fc00-0000-7000-8000-000000000000";
  const name = `delivery "${delivery!.id}"`;

  await assert.rejects(replay(unknown), {
    code: "SP404",
    message: `Cannot replay delivery "${unknown}": it does not exist`,
  });
  await world.sql`update public.destinations set enabled = false where id = ${id}`;
  await assert.rejects(replay(delivery!.id), {
    code: "SP409",
    message: `Cannot replay ${name}: destination "${id}" is disabled`,
  });
  await world.sql`update public.webhook_messages set body = null`;
  await assert.rejects(replay(delivery!.id), {
    code: "SP409",
    message: `Cannot replay ${name}: its message was erased or is no longer kept`,
  });
  await world.sql`delete from public.destinations where id = ${id}`;
  await assert.rejects(replay(delivery!.id), {
    code: "SP409",
    message: `Cannot replay ${name}: its destination was deleted`,
  });
});

Deno.test("replay_failed() replays once each message that failed in the range and was not delivered since", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ maxConcurrency: 100 });
  const worker = createWorker(world);
  await world.publish("order_created", { n: "too early" });
  await worker.fail(await worker.claim(), exhausted);
  world.clock.advance(60 * secondMs);
  const since = world.clock.now;
  const [twice, waiting] = await world.publish("order_created", { n: "twice" }, { n: "waiting" });
  await worker.fail(await worker.claim());
  world.clock.advance(5 * secondMs);
  const retried = await worker.claim();
  await worker.fail(retried.filter((d) => d.message_id === twice), exhausted);
  await worker.fail(retried.filter((d) => d.message_id === waiting));
  await world.publish("order_created", { n: "fine" });
  const fine = (await worker.claim()).filter((d) => d.try_number === 1);
  await worker.fail(fine);
  world.clock.advance(6 * secondMs);
  await world.sql`update private.webhook_queue set due_at = due_at + interval '1 hour'
    where message_id = ${waiting!}`;
  await worker.complete(await worker.claim());

  const { job_id, matched } = await replayFailed(world, id, since);
  assert.equal(matched, 2);
  await finishJobs(world);

  const replayed = await worker.claim();
  assert.deepEqual(replayed.map((d) => d.message_id).sort(), [twice, waiting].sort());
  assert(replayed.every((d) => d.trigger === "replay"));
  const [job] = await world.sql`select * from public.jobs where id = ${job_id}`;
  assert.deepEqual([job!.kind, job!.state, job!.done, job!.total], ["replay", "done", 2, 2]);
  assert(job!.finished_at instanceof Date);
});

Deno.test("recover_missed() sends 100,000 missed messages through a restart", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ enabled: false });
  await world.sql`
    select private.publish_messages(
      array(
        select row(${world.workspaceId}::uuid, 'order_created', '{}', null, null)::private.new_message
        from generate_series(1, 4000)
      ), ${world.clock.now}::timestamptz + n * interval '1 millisecond'
    )
    from generate_series(1, 25) as n
  `;
  await world.sql`update public.destinations set enabled = true where id = ${id}`;
  const [row] = await world.sql`select * from ops.recover_missed(${id})`;
  assert.equal(row!.matched, 100_000);

  world.clock.advance(60 * secondMs);
  const first = connectDispatch(world.db.url);
  for (let i = 0; i < 10; i++) assert.equal(await workJobs(first, world.clock.now), 1_000);
  await first.end();
  const [half] = await world.sql`select state, done from public.jobs`;
  assert.deepEqual([half!.state, half!.done], ["running", 10_000]);
  await finishJobs(world);

  const [job] = await world.sql`select state, done, total from public.jobs`;
  assert.deepEqual([job!.state, job!.done, job!.total], ["done", 100_000, 100_000]);
  const [rows] = await world.sql`
    select count(*)::int as queued, count(*) filter (where trigger = 'replay')::int as replays,
      (select count(*)::int from public.missed_messages) as missed
    from private.webhook_queue
  `;
  assert.deepEqual([rows!.queued, rows!.replays, rows!.missed], [100_000, 100_000, 0]);
});

Deno.test("recover_missed() sends the oldest messages first, over several batches", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { id } = await world.addDestination({
    url: `http://127.0.0.1:${receiver.port}/`,
    enabled: false,
    maxConcurrency: 1,
  });
  // Stored in a random order, as by parallel calls.
  await world.sql`
    select private.publish_messages(
      array[row(
        ${world.workspaceId}::uuid, 'order_created', jsonb_build_object('n', r.n), null, null
      )::private.new_message],
      ${world.clock.now}::timestamptz + r.n * interval '1 millisecond'
    )
    from (select n from generate_series(0, 59) as n order by random()) as r
  `;
  await world.sql`update public.destinations set enabled = true where id = ${id}`;
  await world.sql`select ops.recover_missed(${id})`;
  world.clock.advance(60 * secondMs);
  for (let batch = 0; batch < 4; batch++) {
    await world.sql`
      select private.work_job(j.workspace_id, j.id, 20, ${world.clock.now}) from public.jobs as j`;
    // Only the last ones are sent while others wait for their batch.
    if (batch % 2 === 1) await world.dispatch();
    world.clock.advance(secondMs);
  }
  await world.dispatch();
  const sent = receiver.requests.map(({ body }) =>
    JSON.parse(new TextDecoder().decode(body)).payload.n
  );
  assert.deepEqual(sent, Array.from({ length: 60 }, (_, n) => n));
});

Deno.test("recover_missed() skips messages missed before its start time", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ enabled: false });
  await world.publish("order_created", { n: "before" });
  world.clock.advance(secondMs);
  const [after] = await world.publish("order_created", { n: "after" });
  await world.sql`update public.destinations set enabled = true where id = ${id}`;

  const [row] = await world.sql`select * from ops.recover_missed(${id}, ${world.clock.now})`;
  await finishJobs(world);

  assert.equal(row!.matched, 1);
  world.clock.advance(secondMs);
  assert.deepEqual((await createWorker(world).claim()).map((d) => d.message_id), [after]);
});

Deno.test("a destination that is disabled or unknown is not recovered or replayed", async () => {
  await using world = await createDispatchWorld();
  const { id } = await world.addDestination({ enabled: false });
  const unknown = crypto.randomUUID();

  await assert.rejects(world.sql`select ops.recover_missed(${id})`, {
    code: "SP409",
    message: `Cannot recover missed messages: destination "${id}" is disabled`,
  });
  await assert.rejects(world.sql`select ops.replay_failed(${unknown}, now())`, {
    code: "SP404",
    message: `Cannot replay failed deliveries: no destination has the id "${unknown}"`,
  });
  await assert.rejects(world.sql`select ops.send_test_ping(${unknown})`, { code: "SP404" });
});
