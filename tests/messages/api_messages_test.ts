import assert from "node:assert/strict";
import { workJobs } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { assertResponse, findOperation } from "../../testing/service/openapi.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createMessagesWorld, type MessagesWorld, read } from "./messages_world.ts";

const secondMs = 1_000;
const hourMs = 3_600_000;
const exhausted = { action: "exhausted", next_attempt_at: null } as const;

async function post({ api, token }: MessagesWorld, path: string, body?: object) {
  return await api.send({ method: "POST", path, token, body });
}

/** The state of every listed message, newest first. */
async function listStates(world: MessagesWorld, query = ""): Promise<[string, string][]> {
  const { data } = await read(world, `/messages${query}`);
  return data.map(({ id, state }: { id: string; state: string }) => [id, state]);
}

async function publishOne({ dispatch }: MessagesWorld, type = "order_created"): Promise<string> {
  dispatch.clock.advance(secondMs);
  const [id] = await dispatch.publish(type, {});
  return id!;
}

async function setEnabled({ sql }: MessagesWorld, id: string, enabled: boolean): Promise<void> {
  await sql`update public.destinations set enabled = ${enabled} where id = ${id}`;
}

/** Opens the circuit breaker: ten failures in a row. */
async function breakCircuit(world: MessagesWorld): Promise<void> {
  for (let i = 0; i < 10; i++) await publishOne(world);
  await world.worker.fail(await world.worker.claim());
}

/** One message in every state, at one destination. */
async function createEveryState(world: MessagesWorld) {
  const { dispatch, worker } = world;
  const { id } = await dispatch.addDestination();
  const delivered = await publishOne(world);
  await worker.complete(await worker.claim());
  const givenUp = await publishOne(world);
  await worker.fail(await worker.claim(), exhausted);
  const canceled = await publishOne(world);
  assert.equal((await post(world, `/messages/${canceled}/cancel`)).status, 202);
  await setEnabled(world, id, false);
  const missed = await publishOne(world);
  await setEnabled(world, id, true);
  const retrying = await publishOne(world);
  await worker.fail(await worker.claim());
  const waiting = await publishOne(world);
  return { id, delivered, givenUp, canceled, missed, retrying, waiting };
}

Deno.test("a message is listed with one state at its destination", async (t) => {
  await using world = await createMessagesWorld();
  const made = await createEveryState(world);
  const expected = [
    [made.waiting, "waiting"],
    [made.retrying, "retrying"],
    [made.missed, "missed"],
    [made.canceled, "given_up"],
    [made.givenUp, "given_up"],
    [made.delivered, "delivered"],
  ];
  await t.step("newest first", async () => {
    assert.deepEqual(await listStates(world), expected);
    assert.deepEqual(await listStates(world, `?destination_id=${made.id}`), expected);
  });
  await t.step("by state", async () => {
    for (const state of ["waiting", "retrying", "held", "delivered", "given_up", "missed"]) {
      const matching = expected.filter(([, other]) => other === state);
      assert.deepEqual(await listStates(world, `?state=${state}`), matching, state);
    }
  });
  await t.step("by several states", async () => {
    for (const states of ["waiting,retrying", "missed,delivered,missed", "held,given_up"]) {
      const matching = expected.filter(([, state]) => states.split(",").includes(state!));
      assert.deepEqual(await listStates(world, `?state=${states}`), matching, states);
    }
    for (const states of ["", "waiting,", "waiting, held", "waiting,lost", "waiting,toString"]) {
      const path = `/messages?state=${encodeURIComponent(states)}`;
      const { status, body } = await world.api.send({ path, token: world.token });
      assert.deepEqual([status, body.details?.[0]?.field], [400, "state"], states);
      assert.match(body.error, /^Field "state" must be one or more of "waiting", .* commas$/);
    }
  });
  await t.step("page by page", async () => {
    for (const filter of ["", "&event_type=order_created", "&state=given_up"]) {
      const found = [];
      let path: string | undefined = `/messages?limit=1${filter}`;
      while (path !== undefined) {
        const page: { data: { id: string }[]; next_cursor: string | null } = await read(
          world,
          path,
        );
        found.push(...page.data.map(({ id }) => id));
        path = page.next_cursor === null
          ? undefined
          : `/messages?limit=1${filter}&cursor=${page.next_cursor}`;
      }
      const ids = expected.filter(([, state]) => !filter.includes("state") || state === "given_up");
      assert.deepEqual(found, ids.map(([id]) => id), filter);
    }
  });
  await t.step("by time, type and destination", async () => {
    const { created_at } = await read(world, `/messages/${made.missed}`);
    assert.deepEqual(await listStates(world, `?since=${created_at}`), expected.slice(0, 3));
    assert.deepEqual(await listStates(world, `?until=${created_at}`), expected.slice(3));
    assert.deepEqual(await listStates(world, "?event_type=page_viewed"), []);
    assert.deepEqual(await listStates(world, `?destination_id=${crypto.randomUUID()}`), []);
  });
  await t.step("the responses are as documented", async () => {
    const list = await world.api.send({ path: "/messages", token: world.token });
    assertResponse(findOperation("listMessages"), list);
    const one = await world.api.send({ path: `/messages/${made.canceled}`, token: world.token });
    assertResponse(findOperation("getMessage"), one);
    assert.notEqual(one.body.destinations[0].canceled_at, null);
  });
});

Deno.test("an open circuit breaker holds messages until its next probe", async () => {
  await using world = await createMessagesWorld();
  const { id } = await world.dispatch.addDestination();
  await breakCircuit(world);
  const message = await publishOne(world);

  const { data } = await read(world, "/messages?state=held&limit=1");
  assert.deepEqual([data[0].id, data[0].held_by], [message, "breaker"]);
  const { health } = await read(world, `/destinations/${id}`);
  assert.equal(data[0].next_attempt_at, health.next_probe_at);
  assert.equal(health.next_attempt_at, health.next_probe_at);
  assert.equal(health.last_error, "status_500");
  assert(Date.parse(health.next_probe_at) > world.dispatch.clock.now.getTime());

  // A person does not wait for the probe.
  assert.equal((await post(world, `/messages/${message}/try-now`)).status, 202);
  const claimed = await world.worker.claim();
  assert.deepEqual(claimed.map(({ message_id }) => message_id), [message]);
  const [now] = (await read(world, `/messages/${message}`)).destinations;
  assert.deepEqual([now.state, now.is_in_progress], ["waiting", true]);
});

Deno.test("messages held for different retries wait for the same probe", async () => {
  await using world = await createMessagesWorld();
  const { sql, dispatch } = world;
  const { id } = await dispatch.addDestination();
  await breakCircuit(world);
  const at = (ms: number) => new Date(dispatch.clock.now.getTime() + ms);
  const due = [at(3 * hourMs), at(2 * hourMs), at(4 * hourMs)];
  const { data } = await read(world, "/messages?state=held");
  for (const [index, { id: messageId }] of data.entries()) {
    await sql`
      update private.webhook_queue set due_at = ${due[index % due.length]!}
      where message_id = ${messageId}
    `;
  }
  const held = (await read(world, "/messages?state=held")).data;
  const { health } = await read(world, `/destinations/${id}`);
  const times = held.map((message: { next_attempt_at: string }) => message.next_attempt_at);
  assert.deepEqual([...new Set(times)], [due[1]!.toISOString()]);
  assert.equal(health.next_probe_at, due[1]!.toISOString());
  assert.equal(health.next_attempt_at, health.next_probe_at);
});

Deno.test("a disabled destination holds what was queued before", async () => {
  await using world = await createMessagesWorld();
  const { id } = await world.dispatch.addDestination();
  const message = await publishOne(world);
  await setEnabled(world, id, false);
  const [state] = (await read(world, `/messages/${message}`)).destinations;
  assert.deepEqual(
    [state.state, state.held_by, state.next_attempt_at],
    ["held", "disabled", null],
  );
  const refused = await post(world, `/messages/${message}/try-now`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /its destination is disabled$/);
});

Deno.test("try now sends what was given up, missed or canceled, and not what was delivered", async () => {
  await using world = await createMessagesWorld();
  const made = await createEveryState(world);
  for (const id of [made.givenUp, made.missed, made.canceled, made.retrying]) {
    const response = await post(world, `/messages/${id}/try-now`, { destination_id: made.id });
    assert.equal(response.status, 202, JSON.stringify(response.body));
    assert.deepEqual(response.body, { message_id: id, destination_ids: [made.id] });
  }
  await world.worker.complete(await world.worker.claim());
  assert.deepEqual(
    (await listStates(world)).map(([, state]) => state),
    Array(6).fill("delivered"),
  );
  const refused = await post(world, `/messages/${made.delivered}/try-now`);
  assert.equal(refused.status, 409);
  const { health } = await read(world, `/destinations/${made.id}`);
  assert.equal(health.missed, 0);
});

Deno.test("a canceled message is not sent, and one that is being sent cannot be canceled", async () => {
  await using world = await createMessagesWorld();
  const { dispatch, worker } = world;
  const first = await dispatch.addDestination();
  const second = await dispatch.addDestination();
  const message = await publishOne(world);
  const body = { destination_id: first.id };
  const canceled = await post(world, `/messages/${message}/cancel`, body);
  assert.deepEqual(canceled.body.destination_ids, [first.id]);

  const claimed = await worker.claim();
  assert.deepEqual(claimed.map(({ destination_id }) => destination_id), [second.id]);
  const refused = await post(world, `/messages/${message}/cancel`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /it is being sent$/);
  await worker.complete(claimed);
  assert.match(
    (await post(world, `/messages/${message}/cancel`)).body.error,
    /no destination waits for it$/,
  );
  const states = (await read(world, `/messages/${message}`)).destinations;
  assert.deepEqual(
    new Map(states.map((s: Record<string, string>) => [s.destination_id, s.state])),
    new Map([[first.id, "given_up"], [second.id, "delivered"]]),
  );
});

Deno.test("messages that still wait for their rows of the queue are listed and can be canceled", async () => {
  await using world = await createMessagesWorld();
  const { dispatch, sql } = world;
  const on = await dispatch.addDestination();
  const off = await dispatch.addDestination({ enabled: false });
  const many = await dispatch.publish(
    "order_created",
    ...Array.from({ length: 2_501 }, () => ({})),
  );
  const [row] = await sql`select count(*)::integer as count from private.fan_outs`;
  assert.equal(row!.count, many.length);

  const [message] = many;
  const states = (await read(world, `/messages/${message}`)).destinations;
  assert.deepEqual(
    new Map(states.map((s: Record<string, string>) => [s.destination_id, s.state])),
    new Map([[on.id, "waiting"], [off.id, "missed"]]),
  );
  const { data } = await read(world, `/messages?destination_id=${off.id}&limit=200`);
  assert.equal(data.length, 200);

  assert.equal((await post(world, `/messages/${message}/cancel`)).status, 202);
  await sql`select private.work_fan_outs(100000)`;
  const [left] = await sql`
    select
      (select count(*)::integer from private.webhook_queue where message_id = ${message!}) as queued,
      (select count(*)::integer from public.missed_messages where message_id = ${message!}) as missed`;
  assert.deepEqual({ ...left }, { queued: 0, missed: 0 });
});

Deno.test("missed messages are counted, and can be discarded", async () => {
  await using world = await createMessagesWorld();
  const { dispatch, sql } = world;
  const { id } = await dispatch.addDestination({ enabled: false });
  const [first] = await dispatch.publish("order_created", {}, {});
  const { created_at } = await read(world, `/messages/${first}`);
  const before = (await read(world, `/destinations/${id}`)).health;
  assert.deepEqual([before.missed, before.missed_since], [2, created_at]);

  const started = await post(world, `/destinations/${id}/discard`);
  assert.equal(started.status, 202);
  assert.equal(started.body.matched, 2);
  while (await workJobs(sql, dispatch.clock.now) > 0);
  const job = await read(world, `/jobs/${started.body.job_id}`);
  assert.deepEqual([job.kind, job.state, job.done], ["discard", "done", 2]);
  const after = (await read(world, `/destinations/${id}`)).health;
  assert.deepEqual([after.missed, after.missed_since, after.pending], [0, null, 0]);
  assert.deepEqual((await listStates(world)).map(([, state]) => state), ["given_up", "given_up"]);
});

Deno.test("an event lists every destination that it matched, those that wait included", async () => {
  await using world = await createMessagesWorld();
  const { dispatch, api, sql } = world;
  const { workspaceId } = dispatch;
  const waits = await dispatch.addDestination();
  const misses = await dispatch.addDestination({ enabled: false });
  await dispatch.addDestination({ eventTypes: ["page_viewed"] });
  const [event] = await ingestEntries(sql, [{
    kind: "event",
    name: "order_created",
    external_id: "ada",
    workspace_id: workspaceId,
  }]);
  if (!event?.ok) throw new Error("Cannot store the event");
  const token = await api.createKey(["deliveries:read", "events:read"], workspaceId);
  const response = await api.send({ path: `/events/${event.event_id}/deliveries`, token });
  assertResponse(findOperation("listEventDeliveries"), response);
  assert.deepEqual(
    new Map(
      response.body.destinations.map((s: Record<string, string>) => [s.destination_id, s.state]),
    ),
    new Map([[waits.id, "waiting"], [misses.id, "missed"]]),
  );
});
