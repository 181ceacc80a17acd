import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import {
  createJourneyWorld,
  day,
  hour,
  type JourneyWorld,
  minute,
  second,
} from "./journey_world.ts";
import {
  finishRehearsals,
  listCounts,
  readFigures,
  readRehearsal,
  rehearse,
  startRehearsal,
} from "./rehearsal_world.ts";

const start = { name: "start" };
const welcome: Definition = {
  trigger: { event: "start" },
  goal: { event: "bought", within: "2d" },
  start: "pause",
  steps: { pause: { wait: { for: "1d" }, next: "end" }, end: { exit: {} } },
};

/** A world in which some people start, one an hour. */
async function createHistory(people: number): Promise<{ world: JourneyWorld; since: number }> {
  const world = await createJourneyWorld();
  const since = world.now - second;
  for (let n = 0; n < people; n++) {
    await world.track({ ...start, external_id: `user-${n}` });
    world.now += hour;
  }
  return { world, since };
}

/** Creates a draft, which never ran; returns its id. */
async function createDraft(
  { sql, workspaceId }: JourneyWorld,
  definition: Definition,
): Promise<string> {
  const journey = { name: "Some", definition };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_journey(${workspaceId}, ${sql.json(journey as never)}) as id`;
  return row!.id;
}

Deno.test("a rehearsal continues after a lost worker, and counts each customer once", async () => {
  const { world, since } = await createHistory(50);
  await using _ = world;
  const journeyId = await createDraft(world, welcome);
  const id = await startRehearsal(world, { journeyId, definition: welcome, since });
  const take = () => world.sql`select * from private.take_rehearsal(20, ${new Date(world.now)})`;
  const [lost] = await take();
  assert.equal(lost!.customer_ids.length, 20);
  // Nobody else may take it before the lease is over.
  assert.equal((await take()).length, 0);
  world.now += minute + second;
  await finishRehearsals(world);
  const late = { workspace_id: world.workspaceId, id, claim: lost!.claim };
  const progress = { done: 20, counts: [{ step: "", kind: "entered", count: 20 }], examples: [] };
  const [{ ok }] = await world.sql<[{ ok: boolean }]>`
    select private.record_rehearsal(
      ${world.sql.json(late)}, ${world.sql.json(progress)}, ${new Date(world.now)}) as ok`;
  assert.equal(ok, false);
  const { state, done, total, counts, examples } = await readRehearsal(world, id);
  assert.deepEqual({ state, done, total }, { state: "done", done: 50, total: 50 });
  assert.deepEqual(listCounts(counts), [
    " entered: 50",
    " exited:completed: 27",
    "end came: 27",
    "end left:end: 27",
    "pause came: 50",
    "pause left:next: 27",
    "pause waiting: 23",
  ]);
  assert.equal(examples.length, 10);
});

Deno.test("a rehearsal that fails five times ends and says so, and one of nobody is done at once", async () => {
  const { world, since } = await createHistory(1);
  await using _ = world;
  const journeyId = await createDraft(world, welcome);
  const id = await startRehearsal(world, { journeyId, definition: welcome, since });
  for (let n = 0; n < 6; n++) {
    await world.sql`select * from private.take_rehearsal(20, ${new Date(world.now)})`;
    world.now += minute + second;
  }
  const failed = await readRehearsal(world, id);
  assert.equal(failed.state, "failed");
  assert.match(failed.error!, /^Cannot rehearse journey: the service failed five times/);
  const later = world.now;
  world.now += minute;
  const none = await rehearse(world, { journeyId, definition: welcome, since: later });
  assert.deepEqual([none.state, none.total, none.counts], ["done", 0, []]);
});

Deno.test("a rehearsal refuses more customers than it can look at", async () => {
  const { world, since } = await createHistory(1);
  await using _ = world;
  await world.sql`
    with added as (
      insert into public.customers (workspace_id)
      select ${world.workspaceId} from generate_series(1, 20000)
      returning id
    ),
    people as (
      insert into public.identities (workspace_id, customer_id, kind, value)
      select ${world.workspaceId}, a.id, 'external', a.id::text from added as a
      returning id
    )
    insert into public.events (workspace_id, id, identity_id, name, occurred_at, received_at)
    select ${world.workspaceId}, gen_random_uuid(), p.id, 'start', ${new Date(world.now)},
      ${new Date(world.now)}
    from people as p`;
  const journeyId = await createDraft(world, welcome);
  const { state, error } = await rehearse(world, { journeyId, definition: welcome, since });
  assert.equal(state, "failed");
  assert.match(
    error!,
    /^Cannot rehearse journey: more than 20000 customers, .* choose a later time$/,
  );
});

Deno.test("a rehearsal of a journey that a date triggers has those enter whose day has come", async () => {
  await using world = await createJourneyWorld();
  const since = world.now;
  const days = [-2, 1, 3, 9];
  for (const [n, days_on] of days.entries()) {
    const renews_at = new Date(world.now + days_on * day).toISOString();
    await world.track({
      kind: "identify",
      external_id: `user-${n}`,
      profile: {},
      attributes: { renews_at },
    });
  }
  const definition: Definition = { ...welcome, trigger: { date: "attributes.renews_at" } };
  const journeyId = await world.publish(definition);
  await world.settle();
  for (let n = 0; n < 5; n++) await world.pass(day);
  const { counts } = await rehearse(world, { journeyId, definition, since });
  assert.deepEqual(listCounts(counts), await readFigures(world, journeyId));
  assert(listCounts(counts).includes(" entered: 2"));
});

Deno.test("a rehearsal of a journey that a segment triggers follows who entered and left it", async () => {
  await using world = await createJourneyWorld();
  const { sql, workspaceId } = world;
  const condition = { event: "start", count: { gte: 1 }, within: "3h" };
  const [segment] = await sql<{ id: string }[]>`
    select private.insert_segment(
      ${workspaceId}, ${sql.json({ name: "Active", condition })}
    ) as id`;
  await world.settle();
  for (const on of ["enter", "leave"] as const) {
    const definition: Definition = {
      ...welcome,
      trigger: { segment: segment!.id, on },
      entry: { again: "after_exit", include_current: true },
      steps: { pause: { wait: { for: "30m" }, next: "end" }, end: { exit: {} } },
    };
    await world.track({ ...start, external_id: "user-0" });
    await world.settle();
    const since = world.now;
    const journeyId = await world.publish(definition);
    await world.settle();
    for (let n = 0; n < 12; n++) {
      await world.pass(hour);
      await world.track({ ...start, external_id: `user-${[1, 0, 2, 0][n % 4]}` });
      await world.settle();
    }
    const { counts } = await rehearse(world, { journeyId, definition, since });
    const ofRuns = counts.filter(({ kind }) => !kind.startsWith("not_entered:"));
    assert.deepEqual(listCounts(ofRuns), await readFigures(world, journeyId), on);
  }
});
