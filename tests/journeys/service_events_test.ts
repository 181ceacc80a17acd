import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { eraseCustomers } from "../../testing/data/erasures.ts";
import {
  day,
  fold,
  hour,
  type JourneyWorld,
  setState,
  startWork,
  testInWorlds,
} from "./journey_world.ts";

interface Message {
  event_type: string;
  payload: Record<string, unknown> & { customer: Record<string, unknown> };
}

/** Adds a destination for messages of these types; returns how to read those of the queue. */
async function listenTo({ sql, workspaceId }: JourneyWorld, types: string) {
  const [destination] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Hook', 'https://example.com/hook', ${types}::text[])
    returning id`;
  const { id } = destination!;
  return {
    id,
    read: () =>
      sql<Message[]>`
      select m.event_type, m.body::jsonb -> 'payload' as payload
      from private.webhook_queue as q
      join public.webhook_messages as m on m.id = q.message_id
      where q.destination_id = ${id}
      order by m.id`,
  };
}

const waiting: Definition = {
  trigger: { event: "signed_up" },
  goal: { event: "bought" },
  exit_on: { event: "left" },
  start: "wait",
  steps: { wait: { wait: { for: "2d" } } },
};

const iso = (ms: number) => new Date(ms).toISOString();

const merge = { kind: "alias", external_id: "user-1", previous_id: "user-2" } as never;

/** Causes for which a run of the customer "user-1" ends, an hour after it began, by reason. */
const ends: Record<string, (world: JourneyWorld, id: string) => Promise<unknown>> = {
  goal: (world) => world.track({ name: "bought" }),
  exit_condition: (world) => world.track({ name: "left" }),
  stopped: (world, id) => setState(world, { id, state: "stopped" }),
  async removed({ sql, workspaceId, now }) {
    await sql`
      select private.end_runs(${workspaceId}, array_agg(r.id), 'removed', ${new Date(now)})
      from public.journey_runs as r where r.workspace_id = ${workspaceId}`;
  },
};

testInWorlds("journeys tell destinations what happens", {
  async "journey.entered has the journey, the run, the customer and the trigger"(world) {
    const { sql, workspaceId } = world;
    const { read } = await listenTo(world, "{journey.entered}");
    const id = await world.publish(waiting);
    const [customerId] = await world.track({ name: "signed_up", properties: { plan: "pro" } });
    await world.settle();
    const [run] = await world.readRuns();
    const [event] = await sql`
      select id from public.events where workspace_id = ${workspaceId} and name = 'signed_up'`;
    const messages = await read();
    assert.equal(messages.length, 1);
    const { customer, ...payload } = messages[0]!.payload;
    assert.deepEqual(payload, {
      journey: { id, name: "Some", version: 1 },
      run_id: run!.id,
      trigger: {
        event: "signed_up",
        event_id: event!.id,
        received_at: iso(world.now),
        data: { plan: "pro" },
      },
    });
    assert.deepEqual([customer.id, customer.external_id], [customerId, "user-1"]);
  },

  ...Object.fromEntries(
    Object.entries(ends).map(([reason, end]) => [
      `journey.exited comes once with the reason ${reason}`,
      async (world: JourneyWorld) => {
        const { read } = await listenTo(world, "{journey.exited}");
        const id = await world.publish(waiting);
        const [customerId] = await world.track({ name: "signed_up" });
        await world.settle();
        const enteredAt = world.now;
        world.now += hour;
        await end(world, id);
        await world.settle();
        await world.pass(3 * day);
        const [run] = await world.readRuns();
        const messages = await read();
        assert.equal(messages.length, 1);
        const { customer, exited_at, ...payload } = messages[0]!.payload;
        assert.deepEqual(payload, {
          journey: { id, name: "Some", version: 1 },
          run_id: run!.id,
          reason,
          entered_at: iso(enteredAt),
          goal_reached: reason === "goal",
        });
        assert.equal(exited_at, run!.exited_at!.toISOString());
        if (reason !== "stopped") assert.equal(exited_at, iso(enteredAt + hour));
        assert.equal(customer.id, customerId);
      },
    ]),
  ),

  async "journey.exited has the reasons completed, holdout and failed"(world) {
    const { read } = await listenTo(world, "{journey.exited}");
    await world.publish(waiting);
    await world.publish({ ...waiting, entry: { holdout: 99.99 } });
    const until = { date: "attributes.none" };
    await world.publish({ ...waiting, steps: { wait: { wait: { until } } } });
    await world.track({ name: "signed_up" });
    await world.pass(2 * day);
    const reasons = (await read()).map(({ payload }) => payload.reason);
    assert.deepEqual(reasons.toSorted(), ["completed", "failed", "holdout"]);
  },

  async "journey.exited of a run that a merge ended shows the survivor"(world) {
    const { read } = await listenTo(world, "{journey.exited}");
    await world.publish(waiting);
    await world.track({ name: "signed_up", external_id: "user-2" });
    world.now += hour;
    const [survivor] = await world.track({ name: "signed_up" });
    await world.settle();
    await world.track(merge);
    await world.settle();
    const messages = await read();
    assert.deepEqual(
      messages.map(({ payload: { reason, customer } }) => [reason, customer.id]),
      [["merged", survivor]],
    );
    assert.deepEqual(messages[0]!.payload.customer.external_ids, ["user-2", "user-1"]);
  },

  async "journey.exited of a deleted customer has only the id"(world) {
    const { sql, workspaceId } = world;
    const { read } = await listenTo(world, "{journey.exited}");
    await world.publish(waiting);
    const [customerId] = await world.track({ name: "signed_up" });
    await world.settle();
    await eraseCustomers(sql, workspaceId, [customerId!]);
    assert.deepEqual(
      (await read()).map(({ payload: { reason, customer } }) => [reason, customer]),
      [["deleted", { id: customerId }]],
    );
  },

  async "journey.webhook has the step and the data, for its destination alone"(world) {
    const own = await listenTo(world, "{unrelated}");
    const other = await listenTo(world, "{journey.webhook}");
    const data = { plan: "{{ customer.attributes.plan }}", run: "{{ run.id }}" };
    const id = await world.publish({
      ...waiting,
      start: "hook",
      steps: { hook: { webhook: { destination: own.id, data } } },
    });
    await world.track(
      { kind: "identify", attributes: { plan: "pro" } } as never,
      { name: "signed_up" },
    );
    await world.settle();
    const [run] = await world.readRuns();
    const [message] = await own.read();
    const { customer, ...payload } = message!.payload;
    assert.deepEqual([message!.event_type, payload], ["journey.webhook", {
      journey: { id, name: "Some", version: 1 },
      run_id: run!.id,
      step: "hook",
      data: { plan: "pro", run: run!.id },
    }]);
    assert.equal(customer.external_id, "user-1");
    assert.equal((await other.read()).length, 0);
  },

  async "data that no message can hold is left out, and the run continues"(world) {
    const { id } = await listenTo(world, "{unrelated}");
    const data = { text: "{{ '%00' | url_decode }}" };
    await world.publish({
      ...waiting,
      start: "hook",
      steps: { hook: { webhook: { destination: id, data } } },
    });
    await world.track({ name: "signed_up" });
    await fold(world);
    const work = startWork(world);
    const [run] = await work.claim({ limit: 1, isOnlyProven: false });
    const result = await work.run(run!, new AbortController().signal);
    await assert.rejects(() => work.record([result]), { code: "22P05" });
    await work.record([work.simplify!(result)!]);
    await world.settle();
    const steps = await world.readSteps();
    assert.deepEqual(steps.map(({ outcome }) => outcome.skipped), ["rejected"]);
    assert.deepEqual((await world.readRuns()).map(({ reason }) => reason), ["completed"]);
  },
});
