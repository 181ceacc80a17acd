import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { day, hour, readPaths, testInWorlds } from "./journey_world.ts";

const cart: Definition = {
  trigger: { event: "cart_updated", where: [{ property: "total", op: "gt", value: 0 }] },
  entry: { key: "trigger.cart_id", again: "after_exit" },
  start: "wait",
  steps: {
    wait: { wait: { for: "2h" }, next: "bought" },
    bought: {
      wait_for: {
        event: "order_created",
        match: [{ property: "cart_id", same_as: "trigger.cart_id" }],
        timeout: "1d",
      },
      next: "tag",
      on_timeout: "value",
    },
    tag: { update: { attributes: { bought: true } }, next: "again" },
    again: {
      branch: [{ when: { field: "attributes.bought", op: "eq", value: true }, next: "end" }],
      else: "value",
    },
    value: {
      branch: [{ when: { field: "trigger.total", op: "gte", value: 100 }, next: "end" }],
      else: "ab",
    },
    ab: { split: [{ weight: 1, next: "end" }, { weight: 0, next: "tag" }] },
    end: { exit: {} },
  },
};

testInWorlds("runs take the steps of their journey", {
  async "a run waits, takes the awaited event, updates the customer and sees that"(world) {
    await world.publish(cart);
    await world.track({ name: "cart_updated", properties: { cart_id: "a", total: 20 } });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await world.pass(3 * hour);
    assert.deepEqual(await readPaths(world), ["wait next, at bought"]);
    await world.track(
      { name: "order_created", properties: { cart_id: "b" } },
      { name: "order_created", properties: { cart_id: "a" } },
    );
    await world.settle();
    assert.deepEqual(await readPaths(world), [
      "wait next, bought next, tag next, again 0, end end, completed",
    ]);
    const [customer] = await world.sql`
      select attributes from public.customers where workspace_id = ${world.workspaceId}`;
    assert.deepEqual(customer!.attributes, { bought: true });
  },

  async "without the event, the timeout and the branches decide"(world) {
    await world.publish(cart);
    await world.track(
      { name: "cart_updated", properties: { cart_id: "a", total: 20 } },
      { name: "cart_updated", properties: { cart_id: "b", total: 200 } },
      { name: "cart_updated", properties: { cart_id: "c", total: 0 } },
      { name: "cart_updated", properties: { cart_id: "a", total: 30 } },
    );
    await world.pass(2 * hour + day);
    assert.deepEqual(await readPaths(world), [
      "wait next, bought timeout, value else, ab 0, end end, completed",
      "wait next, bought timeout, value 0, end end, completed",
    ]);
    const steps = await world.readSteps();
    const visits = steps.map(({ run_id, visit }) => `${run_id} ${visit}`);
    assert.equal(new Set(visits).size, visits.length);
  },
});
