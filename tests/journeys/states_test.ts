import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import {
  day,
  fold,
  hour,
  type JourneyWorld,
  publishVersion,
  readPaths,
  second,
  setState,
  startWork,
  testInWorlds,
} from "./journey_world.ts";

const short: Definition = {
  trigger: { event: "signed_up" },
  start: "wait",
  steps: { wait: { wait: { for: "1d" } } },
};

async function createSegment({ sql, workspaceId }: JourneyWorld, name: string): Promise<string> {
  const condition = { field: "attributes.plan", op: "eq", value: name };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(${workspaceId}, ${sql.json({ name, condition })}) as id`;
  return row!.id;
}

/** Works one step of the jobs of journeys. */
async function workJob({ sql, now }: JourneyWorld): Promise<void> {
  await sql`select private.work_journey_jobs(${new Date(now)})`;
}

async function countRuns({ sql, workspaceId }: JourneyWorld): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from public.journey_runs where workspace_id = ${workspaceId}`;
  return row!.count;
}

/** Returns a customer whose plan is that. */
const planned = (external_id: string, plan: string) =>
  ({ kind: "identify", external_id, attributes: { plan } }) as never;

const renewal: Definition = {
  ...short,
  trigger: { date: "attributes.renews_at" },
  entry: { again: "always" },
};
const renews = (at: number) =>
  ({ kind: "identify", attributes: { renews_at: new Date(at).toISOString() } }) as never;

const slow: Definition = {
  trigger: { event: "signed_up" },
  start: "a",
  steps: {
    a: { wait: { for: "1h" }, next: "b" },
    b: { wait_for: { event: "x", timeout: "1h" }, next: "tag", on_timeout: "tag" },
    tag: { update: { attributes: { tagged: true } }, next: "c" },
    c: { wait: { for: "10d" }, next: "last" },
    last: { update: { attributes: { last: true } } },
  },
};

/** Reads the figures of steps and of the journey as "<step> <kind>": count, without zeros. */
async function readFigures({ sql, workspaceId }: JourneyWorld): Promise<Record<string, number>> {
  await sql`select private.fold_journey_stats(1000)`;
  const rows = await sql<{ name: string; count: number }[]>`
    select step || ' ' || kind as name, sum(count)::integer as count
    from public.journey_stats where workspace_id = ${workspaceId} group by 1 having sum(count) <> 0 order by 1`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

testInWorlds("the state of a journey decides who enters and who moves", {
  async "a journey that was drained and forgotten lets customers enter when it runs again"(world) {
    const id = await world.publish({ ...short, exit_on: { event: "left" } });
    await setState(world, { id, state: "draining" });
    await world.sql`select private.delete_unused_interests(1000)`;
    await setState(world, { id, state: "running" });
    await world.track({ name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await world.track({ name: "left" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition"]);
  },

  async "present members enter 500 at a time, a second apart"(world) {
    const segment = await createSegment(world, "pro");
    const people = Array.from({ length: 1_100 }, (_, n) => planned(`user-${n}`, "pro"));
    await world.track(...people);
    await world.settle();
    await world.publish({
      ...short,
      trigger: { segment, on: "enter" },
      entry: { include_current: true },
    });
    const counts: number[] = [];
    for (const pass of [0, 0, second, second]) {
      world.now += pass;
      await workJob(world);
      counts.push(await countRuns(world));
    }
    assert.deepEqual(counts, [500, 500, 1_000, 1_100]);
  },

  async "present members enter once, the newest version, and not during a pause"(world) {
    const segment = await createSegment(world, "pro");
    await world.track(planned("user-1", "pro"));
    await world.settle();
    const definition: Definition = {
      ...short,
      trigger: { segment, on: "enter" },
      entry: { include_current: true, again: "always" },
    };
    const id = await world.publish(definition);
    await setState(world, { id, state: "paused" });
    await publishVersion(world, { id, definition });
    await world.settle();
    assert.equal(await countRuns(world), 0);
    await setState(world, { id, state: "running" });
    await world.settle();
    const runs = await world.readRuns();
    assert.deepEqual(runs.map(({ version, state }) => [version, state]), [[2, "active"]]);
    await publishVersion(world, { id, definition });
    await world.settle();
    assert.equal(await countRuns(world), 1);
  },

  async "present members of a segment that is being computed enter when it is ready"(world) {
    await world.track(planned("user-1", "pro"));
    await world.settle();
    const segment = await createSegment(world, "pro");
    await world.publish({
      ...short,
      trigger: { segment, on: "enter" },
      entry: { include_current: true },
    });
    await workJob(world);
    assert.equal(await countRuns(world), 0);
    await world.settle();
    await world.pass(second);
    assert.equal(await countRuns(world), 1);
  },

  async "a segment whose new condition is computed ends the runs that it concerns"(world) {
    const { sql, workspaceId } = world;
    const segment = await createSegment(world, "pro");
    await world.settle();
    await world.publish({ ...short, exit_when: { segment } });
    await world.track(planned("user-1", "free"), { name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    const condition = { field: "attributes.plan", op: "eq", value: "free" };
    await sql`
      select private.change_segment(${workspaceId}, ${segment}, ${sql.json({ condition })})`;
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition"]);
  },

  async "a condition about another journey ends a run"(world) {
    const other = await world.publish({ ...short, trigger: { event: "other" } });
    await world.publish({ ...short, exit_when: { journey: other, state: "active" } });
    await world.track({ name: "signed_up" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await world.track({ name: "other" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait exit, exit_condition", "at wait"]);
  },

  async "a date that is set during a pause begins a run after it"(world) {
    const id = await world.publish(renewal);
    await setState(world, { id, state: "paused" });
    await world.track(renews(world.now + 2 * hour));
    await world.settle();
    await setState(world, { id, state: "running" });
    await world.pass(2 * hour);
    assert.deepEqual(await readPaths(world), ["at wait"]);
  },

  async "a clock that jumps over a date by days loses no entry"(world) {
    await world.publish(renewal);
    await world.track(renews(world.now + 2 * hour));
    await world.settle();
    await world.pass(5 * day);
    assert.deepEqual(await readPaths(world), ["wait next, completed"]);
  },

  async "a date that had passed for days when it became known begins no run"(world) {
    await world.publish(renewal);
    await world.track(renews(world.now - 2 * day));
    await world.settle();
    assert.deepEqual(await readPaths(world), []);
  },

  async "late: skip passes by all steps that fell due during the pause, and none after"(world) {
    const id = await world.publish(slow);
    await world.track({ name: "signed_up" });
    await world.settle();
    await setState(world, { id, state: "paused" });
    await world.pass(day);
    await setState(world, { id, state: "running", late: "skip" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["a next, b timeout, tag passed_by, at c"]);
    await world.pass(10 * day);
    assert.deepEqual(await readPaths(world), [
      "a next, b timeout, tag passed_by, c next, last next, completed",
    ]);
  },

  async "late: skip passes by what an event made due during the pause"(world) {
    const id = await world.publish(slow);
    await world.track({ name: "signed_up" });
    await world.pass(hour + second);
    await setState(world, { id, state: "paused" });
    await world.track({ name: "x" });
    await world.settle();
    await setState(world, { id, state: "running", late: "skip" });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["a next, b next, tag passed_by, at c"]);
  },

  async "a send is skipped as late if its turn was longer ago than not_after"(world) {
    const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
    for (const limit of [{}, { not_after: "23h" }, { not_after: "30h" }]) {
      await world.publish({
        trigger: { event: "signed_up" },
        start: "wait",
        steps: {
          wait: { wait: { for: "1h" }, next: "mail" },
          mail: { send: { ...send, ...limit } },
        },
      });
    }
    await world.track({ name: "signed_up" });
    await world.settle();
    await world.pass(hour + day);
    const ways = async () =>
      (await world.readSteps())
        .filter(({ step }) => step === "mail")
        .map(({ outcome }) => `${outcome.skipped ?? outcome.way}`).toSorted();
    assert.deepEqual(await ways(), ["late", "next", "next"]);
    await world.track({ name: "signed_up", external_id: "user-2" });
    await world.settle();
    await world.pass(hour + day + second);
    assert.deepEqual(await ways(), ["late", "late", "late", "next", "next", "next"]);
  },

  async "a replay does the steps once more, and the figures count who is inside"(world) {
    const { sql, workspaceId } = world;
    const id = await world.publish({
      ...short,
      steps: {
        wait: { wait: { for: "1d" }, next: "tag" },
        tag: { update: { attributes: { a: 1 } } },
      },
    });
    await world.track({ name: "signed_up" });
    await world.pass(day);
    const runs = await world.readRuns();
    assert.equal(runs[0]!.reason, "completed");
    await sql`
      select private.restart_runs(${workspaceId}, array[r], 'tag', ${new Date(world.now)})
      from public.journey_runs as r where r.journey_id = ${id}`;
    assert.equal((await readFigures(world))[" exited:completed"], undefined);
    await sql`
      insert into private.run_arrivals (workspace_id, journey_id, due_at)
      values (${workspaceId}, ${id}, ${new Date(world.now)})`;
    await world.settle();
    assert.deepEqual(await readPaths(world), [
      "wait next, tag next, tag replay, tag next, completed",
    ]);
    assert.deepEqual(await readFigures(world), {
      " entered": 1,
      " exited:completed": 1,
      "tag came": 2,
      "tag left:next": 2,
      "wait came": 1,
      "wait left:next": 1,
    });
  },

  async "of the runs that move along, each is counted at the step where it stands"(world) {
    const steps: Definition["steps"] = {
      wait: { wait: { for: "1d" }, next: "b" },
      b: { wait: { for: "1d" } },
    };
    const id = await world.publish({ ...short, steps });
    await world.track({ name: "signed_up" });
    await world.settle();
    await publishVersion(world, { id, definition: { ...short, steps }, inside: "move" });
    await world.settle();
    assert.deepEqual(await readFigures(world), { " entered": 1, "wait came": 1 });
    const definition = { ...short, start: "b", steps: { b: steps.b! } };
    await publishVersion(world, { id, definition, inside: "move" });
    await world.settle();
    assert.deepEqual(await readFigures(world), {
      " entered": 1,
      "b came": 1,
      "wait came": 1,
      "wait left:move": 1,
    });
  },

  async "a journey that is stopped while a date comes due has no run inside"(world) {
    const { sql } = world;
    const id = await world.publish(renewal);
    await world.track(renews(world.now + hour));
    await world.settle();
    world.now += hour;
    const [due] = await sql`select * from private.due_dates(10, ${new Date(world.now)})`;
    await setState(world, { id, state: "stopped" });
    const { workspace_id, journey_id, customer_id } = due!;
    const entry = { workspace_id, journey_id, customer_id, due_at: null, enter_at: due!.due_at };
    await sql`
      select private.complete_dates(${sql.json([entry])}, ${new Date(world.now)})`;
    await world.settle();
    assert.equal(await countRuns(world), 0);
  },

  async "a job that fails is postponed, and holds up no other journey"(world) {
    const { sql } = world;
    const bad = await world.publish(short);
    const good = await world.publish(short);
    await world.track({ name: "signed_up" });
    await fold(world);
    await startWork(world).claim({ limit: 1, isOnlyProven: false });
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise sqlstate 'SP503' using message = 'Workspace is being moved'; end $$;
      create trigger refuse before update on public.journey_runs for each row
        when (old.journey_id = '${bad}' and new.state = 'ended') execute function refuse()`);
    for (const id of [bad, good]) await setState(world, { id, state: "stopped" });
    for (let n = 0; n < 4; n++) await workJob(world);
    const runs = await world.readRuns();
    const states = runs.map(({ journey_id, state }) => [journey_id === bad, state]);
    assert.deepEqual(states.toSorted(), [[false, "ended"], [true, "active"]]);
    await sql`drop trigger refuse on public.journey_runs`;
    world.now += 11 * second;
    await workJob(world);
    assert.deepEqual((await readPaths(world)).map((path) => path.split(", ").at(-1)), [
      "stopped",
      "stopped",
    ]);
  },
});
