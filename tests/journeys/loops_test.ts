import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { type JourneyWorld, minute, testInWorlds } from "./journey_world.ts";

async function createSegment({ sql, workspaceId }: JourneyWorld, condition: object) {
  const segment = { name: "S", condition };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(${workspaceId}, ${sql.json(segment as never)}) as id`;
  return row!.id;
}

const identify = (attributes: object) => ({ kind: "identify", attributes }) as never;

/** Counts the steps, and those that report the depth limit. */
async function countSteps(world: JourneyWorld): Promise<[number, number]> {
  const steps = await world.readSteps();
  return [steps.length, steps.filter(({ outcome }) => outcome.depth_limit).length];
}

const updating = (trigger: Definition["trigger"], attributes: object): Definition => ({
  trigger,
  entry: { again: "always" },
  start: "flip",
  steps: { flip: { update: { attributes: { ...attributes } } } },
});

testInWorlds("journeys that trigger each other stop after ten causes, and the log says so", {
  async "by segments of a value"(world) {
    const field = "attributes.side";
    const left = await createSegment(world, { field, op: "eq", value: "left" });
    const right = await createSegment(world, { field, op: "eq", value: "right" });
    await world.track({ name: "seen" });
    await world.settle();
    await world.publish(updating({ segment: left, on: "enter" }, { side: "right" }));
    await world.publish(updating({ segment: right, on: "enter" }, { side: "left" }));
    await world.track(identify({ side: "left" }));
    await world.settle();
    assert.deepEqual(await countSteps(world), [11, 1]);
  },

  async "by dates"(world) {
    const [now, later] = [0, 1000].map((ms) => new Date(world.now + ms).toISOString());
    await world.track({ name: "seen" });
    await world.settle();
    await world.publish(updating({ date: "attributes.a" }, { a: null, b: now }));
    await world.publish(updating({ date: "attributes.b" }, { a: later, b: null }));
    await world.track(identify({ a: now }));
    for (let n = 0; n < 30; n++) await world.pass(1000);
    const runs = await world.sql<{ depth: number }[]>`
      select depth from public.journey_runs where workspace_id = ${world.workspaceId}
      order by depth`;
    // Each run is one deeper than the one that caused it.
    assert(runs.length >= 3, `${runs.length} runs`);
    assert.deepEqual(runs.map(({ depth }) => depth), runs.map((_, n) => n));
  },

  async "by the engagement with mails"(world) {
    const { sql, workspaceId } = world;
    const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
    await world.publish({
      trigger: { event: "email_sent" },
      entry: { again: "always" },
      start: "mail",
      steps: { mail: { send } },
    });
    await world.track({ name: "email_sent" });
    for (let round = 0; round < 15; round++) {
      await world.pass(minute);
      // As send-dispatch does for each message that it has handed over.
      const sent = await sql<{ id: string }[]>`
        update public.sends set state = 'sent'
        where workspace_id = ${workspaceId} and state = 'queued' returning id`;
      const entries = sent.map(({ id }) => {
        const at = new Date(world.now).toISOString();
        return { workspace_id: workspaceId, send_id: id, name: "email_sent", at };
      });
      await sql`select private.record_engagements(${sql.json(entries)})`;
    }
    assert.deepEqual(await countSteps(world), [11, 1]);
  },

  async "by a segment of an engagement"(world) {
    const { sql, workspaceId } = world;
    const segment = await createSegment(world, {
      all: [{ event: "email_sent" }, { field: "attributes.on", op: "eq", value: true }],
    });
    const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
    await world.track(identify({ on: true }));
    await world.settle();
    await world.publish({ trigger: { event: "begin" }, start: "m", steps: { m: { send } } });
    await world.publish(updating({ segment, on: "enter" }, { done: true }));
    await world.track({ name: "begin" });
    await world.settle();
    const [sent] = await sql<{ id: string }[]>`
      select id from public.sends where workspace_id = ${workspaceId}`;
    const at = new Date(world.now).toISOString();
    const entry = { workspace_id: workspaceId, send_id: sent!.id, name: "email_sent", at };
    await sql`select private.record_engagements(${sql.json([entry])})`;
    await world.settle();
    const depths = await sql<{ depth: number }[]>`
      select depth from public.journey_runs where workspace_id = ${workspaceId} order by depth`;
    assert.deepEqual(depths.map(({ depth }) => depth), [0, 1]);
  },
});
