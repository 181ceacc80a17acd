import assert from "node:assert/strict";
import type { Definition, Entry } from "../../supabase/functions/_shared/journeys/definition.ts";
import { day, type JourneyWorld, readPaths, testInWorlds } from "./journey_world.ts";

const short: Definition = {
  trigger: { event: "signed_up" },
  start: "wait",
  steps: { wait: { wait: { for: "1d" } } },
};

/** Numbers of runs after entries at 0 h, at 0 h again, after 1.5 days, and after 5 days. */
const policies: [Entry, number[]][] = [
  [{ again: "never" }, [1, 1, 1, 1]],
  [{}, [1, 1, 1, 1]],
  [{ again: "after_exit" }, [1, 1, 2, 3]],
  [{ again: { after: "3d" } }, [1, 1, 1, 2]],
  [{ again: "always" }, [1, 2, 3, 4]],
];

testInWorlds("the rules of entry decide who enters, and how often", {
  ...Object.fromEntries(policies.map(([entry, expected]) => [
    `entry ${JSON.stringify(entry)} lets a customer in ${expected} times`,
    async (world: JourneyWorld) => {
      await world.publish({ ...short, entry });
      const counts: number[] = [];
      for (const pause of [0, 0, 1.5 * day, 3.5 * day]) {
        await world.pass(pause);
        await world.track({ name: "signed_up" });
        await world.settle();
        counts.push((await world.readRuns()).length);
      }
      assert.deepEqual(counts, expected);
    },
  ])),

  async "again counts per key"(world) {
    await world.publish({ ...short, entry: { key: "trigger.cart", again: { after: "3d" } } });
    const enter = async (cart: string) => {
      await world.track({ name: "signed_up", properties: { cart } });
      await world.settle();
      return (await world.readRuns()).length;
    };
    const counts = [await enter("a"), await enter("b"), await enter("a")];
    await world.pass(2 * day);
    counts.push(await enter("a"), await enter("c"));
    await world.pass(day);
    counts.push(await enter("a"), await enter("c"));
    assert.deepEqual(counts, [1, 2, 2, 2, 3, 4, 4]);
  },

  async "entry.when and where keep others out, and the holdout exits at once"(world) {
    await world.publish({
      ...short,
      entry: { when: { field: "attributes.plan", op: "eq", value: "pro" }, holdout: 100 },
    });
    await world.track(
      { kind: "identify", attributes: { plan: "pro" } } as never,
      { name: "signed_up" },
      { name: "signed_up", external_id: "user-2" },
    );
    await world.settle();
    assert.deepEqual(await readPaths(world), ["holdout"]);
  },

  async "entering and leaving a segment trigger journeys, and members can be included"(world) {
    const { sql, workspaceId } = world;
    const condition = { field: "attributes.plan", op: "eq", value: "pro" };
    const [segment] = await sql<{ id: string }[]>`
      select private.insert_segment(${workspaceId}, ${sql.json({ name: "Pro", condition })}) as id`;
    await world.track({ kind: "identify", attributes: { plan: "pro" } } as never);
    await world.settle();
    const trigger = { segment: segment!.id, on: "enter" as const };
    await world.publish({ ...short, trigger, entry: { include_current: true } });
    await world.publish({ ...short, trigger: { ...trigger, on: "leave" } });
    await world.settle();
    assert.equal((await world.readRuns()).length, 1);
    await world.track(
      { kind: "identify", external_id: "user-2", attributes: { plan: "pro" } } as never,
    );
    await world.settle();
    assert.equal((await world.readRuns()).length, 2);
    await world.track(
      { kind: "identify", external_id: "user-2", attributes: { plan: "free" } } as never,
    );
    await world.settle();
    assert.equal((await world.readRuns()).length, 3);
  },

  async "a list that is changed by hand triggers journeys too"(world) {
    const { sql, workspaceId } = world;
    const [segment] = await sql<{ id: string }[]>`
      select private.insert_segment(
        ${workspaceId}, ${sql.json({ name: "Beta", kind: "static" })}) as id`;
    await world.publish({ ...short, trigger: { segment: segment!.id, on: "enter" } });
    const [customerId] = await world.track({ name: "seen" });
    await world.settle();
    await sql`
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      values (${workspaceId}, ${segment!.id}, 0, ${customerId!}, now())`;
    await sql`
      select private.note_list_change(
        ${workspaceId}, ${segment!.id}, array[${customerId!}::uuid], true)`;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
  },

  async "a date of the profile triggers at local time, once for each date"(world) {
    world.now = Date.parse("2026-11-22T12:00:00Z");
    await world.publish({
      ...short,
      trigger: { date: "attributes.renews_at", offset: "-7d", at: "09:00" },
      entry: { again: "after_exit" },
    });
    await world.track({
      kind: "identify",
      profile: { timezone: "Europe/Berlin" },
      attributes: { renews_at: "2026-12-10" },
    } as never);
    await world.settle();
    world.now = Date.parse("2026-12-03T07:59:59Z");
    await world.settle();
    assert.deepEqual(await readPaths(world), []);
    world.now += 1000;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await world.pass(3 * day);
    await world.track({ kind: "identify", attributes: { seen: 1 } } as never);
    await world.pass(day);
    assert.equal((await world.readRuns()).length, 1);
    await world.track({ kind: "identify", attributes: { renews_at: "2027-12-10" } } as never);
    await world.pass(day);
    world.now = Date.parse("2027-12-03T08:00:00Z");
    await world.settle();
    assert.equal((await world.readRuns()).length, 2);
  },

  async "a segment of those in a journey follows its runs"(world) {
    const { sql, workspaceId } = world;
    const id = await world.publish(short);
    const members = async (state: string) => {
      const condition = { journey: id, state };
      const [row] = await sql<{ id: string }[]>`
        select private.insert_segment(${workspaceId}, ${
        sql.json({ name: state, condition })
      }) as id`;
      return async () => {
        const [count] = await sql`select members::int from public.segments where id = ${row!.id}`;
        return count!.members;
      };
    };
    const counts = [await members("active"), await members("completed"), await members("ever")];
    const readCounts = () => Promise.all(counts.map((count) => count()));
    await world.track({ name: "seen" });
    await world.settle();
    assert.deepEqual(await readCounts(), [0, 0, 0]);
    await world.track({ name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readCounts(), [1, 0, 1]);
    await world.pass(day);
    assert.deepEqual(await readCounts(), [0, 1, 1]);
  },
});
