import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { day, hour, readPaths, setState, testInWorlds } from "./journey_world.ts";

const waiting: Definition = {
  trigger: { event: "signed_up" },
  start: "wait",
  steps: { wait: { wait: { for: "7d" }, next: "end" }, end: { exit: {} } },
};

testInWorlds("runs end where their journey says", {
  async "a goal ends a run wherever it is, within its time only"(world) {
    await world.publish({ ...waiting, goal: { event: "order_created", within: "1d" } });
    await world.track({ name: "signed_up" }, { name: "signed_up", external_id: "user-2" });
    await world.settle();
    await world.pass(hour);
    await world.track({ name: "order_created" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, goal", "at wait"]);
    await world.pass(day);
    await world.track({ name: "order_created", external_id: "user-2" });
    await world.pass(7 * day);
    assert.deepEqual(await readPaths(world), ["wait exit, goal", "wait next, end end, completed"]);
    const stats = await world.sql`
      select private.fold_journey_stats(1000), 1 as x`;
    assert(stats);
    const goals = await world.sql`
      select count::int from public.journey_stats
      where workspace_id = ${world.workspaceId} and step = '' and kind in ('goal', 'exited:goal')`;
    assert.deepEqual(goals.map(({ count }) => count), [1, 1]);
  },

  async "exit_on ends the run of the same cart, and no other"(world) {
    await world.publish({
      ...waiting,
      trigger: { event: "cart_updated" },
      entry: { key: "trigger.cart_id" },
      exit_on: {
        event: "cart_emptied",
        match: [{ property: "cart_id", same_as: "trigger.cart_id" }],
      },
    });
    await world.track(
      { name: "cart_updated", properties: { cart_id: "a" } },
      { name: "cart_updated", properties: { cart_id: "b" } },
      // In the same call as the trigger.
      { name: "cart_emptied", properties: { cart_id: "b" } },
    );
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait", "wait exit, exit_condition"]);
    await world.track({ name: "cart_emptied", properties: { cart_id: "a" } });
    await world.settle();
    assert.deepEqual(await readPaths(world), [
      "wait exit, exit_condition",
      "wait exit, exit_condition",
    ]);
  },

  async "exit_when follows the profile, and time alone"(world) {
    await world.publish({
      ...waiting,
      exit_when: {
        any: [
          { field: "attributes.plan", op: "eq", value: "pro" },
          { event: "order_created", within: "2d", count: { eq: 0 } },
        ],
      },
    });
    await world.track(
      { name: "order_created" },
      { name: "signed_up" },
      { name: "order_created", external_id: "user-2" },
      { name: "signed_up", external_id: "user-2" },
    );
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait", "at wait"]);
    await world.track({ kind: "identify", attributes: { plan: "pro" } } as never);
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition", "at wait"]);
    await world.pass(2 * day - 1000);
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition", "at wait"]);
    await world.pass(1000);
    assert.deepEqual((await readPaths(world))[1], "wait exit, exit_condition");
  },

  async "exit_when follows consent, the address it belongs to, and the default of the topic"(
    world,
  ) {
    const { sql, workspaceId } = world;
    const [topic] = await sql<{ id: string }[]>`
      insert into public.topics (workspace_id, key, name, default_state)
      values (${workspaceId}, 'news', 'News', 'subscribed') returning id`;
    await world.publish({ ...waiting, exit_when: { topic: topic!.id, subscribed: false } });
    for (const name of ["ada", "bob", "cyd"]) {
      const [external_id, email] = [name, `${name}@example.com`];
      await world.track({ kind: "identify", external_id, profile: { email } } as never);
      await world.track({ name: "signed_up", external_id });
    }
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait", "at wait", "at wait"]);
    const change = {
      address: "ada@example.com",
      topic_id: topic!.id,
      subscribed: false,
      source: "api",
    };
    await sql`select private.set_consents(${workspaceId}, ${sql.json([change])})`;
    await world.settle();
    const ended = "wait exit, exit_condition";
    assert.deepEqual(await readPaths(world), [ended, "at wait", "at wait"]);
    await world.track(
      { kind: "identify", external_id: "bob", profile: { email: null } } as never,
    );
    await world.settle();
    assert.deepEqual(await readPaths(world), [ended, ended, "at wait"]);
    await sql`update public.topics set default_state = 'unsubscribed' where id = ${topic!.id}`;
    await world.settle();
    assert.deepEqual(await readPaths(world), [ended, ended, ended]);
  },

  async "exit_when follows the time zone of the workspace"(world) {
    const { sql, workspaceId } = world;
    world.now = Date.parse("2026-11-23T20:00Z");
    await world.publish({
      ...waiting,
      exit_when: { field: "attributes.born", op: "anniversary_today" },
    });
    await world.track({ kind: "identify", attributes: { born: "1990-11-24" } } as never);
    await world.track({ name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await sql`
      update public.workspaces set timezone = 'Asia/Tokyo' where id = ${workspaceId}`;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition"]);
  },

  async "stopping ends all runs, and pausing moves none"(world) {
    const id = await world.publish(waiting);
    await world.track({ name: "signed_up" });
    await world.settle();
    await setState(world, { id, state: "paused" });
    await world.track({ name: "signed_up", external_id: "user-2" });
    await world.pass(8 * day);
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await setState(world, { id, state: "running" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait next, end end, completed"]);
    await world.track({ name: "signed_up", external_id: "user-3" });
    await world.settle();
    await setState(world, { id, state: "stopped" });
    await world.settle();
    assert.equal((await readPaths(world))[1], "wait exit, stopped");
  },

  async "late sends are skipped, and with late: skip so are other steps after a pause"(world) {
    const id = await world.publish({
      trigger: { event: "signed_up" },
      start: "wait",
      steps: {
        wait: { wait: { for: "1h" }, next: "tag" },
        tag: { update: { attributes: { tagged: true } }, next: "later" },
        later: { wait: { for: "30d" }, next: "last" },
        last: { update: { attributes: { last: true } } },
      },
    });
    await world.track({ name: "signed_up" });
    await world.settle();
    await setState(world, { id, state: "paused" });
    await world.pass(2 * hour);
    await setState(world, { id, state: "running", late: "skip" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait next, tag passed_by, at later"]);
    await world.pass(31 * day);
    assert.deepEqual(await readPaths(world), [
      "wait next, tag passed_by, later next, last next, completed",
    ]);
  },
});
