import assert from "node:assert/strict";
import type {
  BranchStep,
  Definition,
  Step,
} from "../../supabase/functions/_shared/journeys/definition.ts";
import { pickBucket } from "../../supabase/functions/automation/steps/split.ts";
import { readDuration } from "../../supabase/functions/automation/local_time.ts";
import { createRandom, pick } from "../segments/segment_world.ts";
import { createJourneyWorld, hour, type JourneyWorld, minute, startWork } from "./journey_world.ts";

const names = ["a", "b", "c"];

/** Random steps, each of which leads to later ones only. */
function createDefinition(random: () => number): Definition {
  const count = 3 + Math.floor(random() * 6);
  const steps: Record<string, Step> = { [`s${count}`]: { exit: {} } };
  for (let n = count - 1; n >= 0; n--) {
    const later = () => `s${n + 1 + Math.floor(random() * (count - n))}`;
    steps[`s${n}`] = createStep(random, later);
  }
  return {
    trigger: { event: "start" },
    ...(random() < 0.5 ? { goal: { event: pick(random, names) } } : {}),
    start: "s0",
    steps,
  };
}

function createStep(random: () => number, later: () => string): Step {
  const kind = Math.floor(random() * 6);
  const duration = `${1 + Math.floor(random() * 90)}m`;
  if (kind === 0) return { wait: { for: duration }, next: later() };
  if (kind === 1 || kind === 2) {
    const since = pick(random, ["step", "entry"] as const);
    const wait_for = { event: pick(random, names), timeout: duration, since };
    return { wait_for, next: later(), on_timeout: later() };
  }
  if (kind === 3) {
    const split = [{ weight: 1, next: later() }, { weight: 2, next: later() }];
    return { split };
  }
  if (kind === 4) {
    const value = pick(random, names);
    return { update: { attributes: { last: value } }, next: later() };
  }
  const field = pick(random, ["trigger.kind", "attributes.last"]);
  const when = { field, op: "eq", value: pick(random, names) };
  return { branch: [{ when, next: later() }], else: later() };
}

interface ModelEvent {
  name: string;
  at: number;
  kind: string;
  place: number;
}

/** Follows a definition by hand, over all events of a customer; the path and the end. */
function followByHand(
  definition: Definition,
  options: { events: readonly ModelEvent[]; journeyId: string; customerId: string; now: number },
): string | undefined {
  const { events, journeyId, customerId, now } = options;
  const start = events.find(({ name }) => name === "start");
  if (start === undefined) return undefined;
  const after = events.slice(events.indexOf(start) + 1);
  const goal = definition.goal && after.find(({ name }) => name === definition.goal!.event);
  let position = start;
  let last: string | undefined;
  let id = definition.start;
  const path: string[] = [];
  for (;;) {
    const step = definition.steps[id]!;
    if (goal !== undefined && goal.place <= position.place) return [...path, `${id} exit`].join();
    let way: string | undefined;
    let next: string;
    let moved = position;
    if ("exit" in step) return [...path, `${id} end`].join();
    if ("wait" in step) {
      moved = timeAt(events, position.at + readDuration((step.wait as { for: string }).for));
      [way, next] = ["next", step.next!];
    } else if ("wait_for" in step) {
      const { event, timeout, since } = step.wait_for;
      const from = since === "entry" ? start : position;
      const end = timeAt(events, position.at + readDuration(timeout));
      const found = events.find(({ name, place }) => {
        return name === event && place > from.place && place < end.place;
      });
      if (found !== undefined) {
        moved = found.place > position.place ? found : position;
        [way, next] = ["next", step.next!];
      } else {
        moved = end;
        [way, next] = ["timeout", step.on_timeout!];
      }
    } else if ("split" in step) {
      const n = pickBucket(`${journeyId}:${id}`, customerId) < 100 / 3 ? 0 : 1;
      [way, next] = [`${n}`, step.split[n]!.next];
    } else if ("update" in step) {
      last = (step.update.attributes as { last: string }).last;
      [way, next] = ["next", step.next!];
    } else {
      const { when, next: to } = (step as BranchStep).branch[0]!;
      const { field, value } = when as { field: string; value: string };
      const isTrue = (field === "trigger.kind" ? start.kind : last) === value;
      [way, next] = isTrue ? ["0", to] : ["else", (step as BranchStep).else];
    }
    // One event may be both awaited and the goal: the run ends where it stands.
    if (goal !== undefined && goal.place <= moved.place) return [...path, `${id} exit`].join();
    if (moved.at > now) return [...path, `at ${id}`].join();
    path.push(`${id} ${way}`);
    id = next;
    position = moved;
  }
}

/** A place between events: before those of the same instant. */
function timeAt(events: readonly ModelEvent[], at: number): ModelEvent {
  const before = events.filter((event) => event.at < at).length;
  return { name: "", kind: "", at, place: before - 0.5 };
}

/** Folds and moves runs until nothing is due, with workers that die, repeat and race. */
async function settleChaotically(world: JourneyWorld, random: () => number): Promise<void> {
  const { sql } = world;
  const work = startWork(world);
  const signal = new AbortController().signal;
  for (let round = 0; round < 500; round++) {
    await sql`select private.fold_segments(${new Date(world.now)}, ${
      1 + Math.floor(random() * 5)
    })`;
    const runs = await work.claim({ limit: 1 + Math.floor(random() * 4), isOnlyProven: false });
    const results = await Promise.all(runs.map((run) => work.run(run, signal)));
    const others = random() < 0.3 ? await claimElsewhere(world) : undefined;
    const fate = random();
    if (runs.length > 0 && fate < 0.2) {
      // The worker is gone, before or after its transaction was sent; nothing was committed.
      if (fate < 0.1) await rollBack(world, JSON.stringify(results));
      await sql`select private.expire_run_claims(${new Date(world.now + 2 * minute)})`;
    } else if (runs.length > 0) {
      if (fate < 0.4) await sql`select private.fold_segments(${new Date(world.now)})`;
      await Promise.all([work.record(results), others?.()]);
      if (fate > 0.8) assert.equal(await work.record(results), 0);
    }
    if (runs.length === 0 || fate < 0.2) await others?.();
    const [due] = await sql<{ due: boolean }[]>`
      select exists (select from private.signals) or
        coalesce(private.next_run_at(${new Date(world.now)}) <= ${new Date(
      world.now,
    )}, false) as due`;
    if (!due!.due) return;
  }
  assert.fail("the runs do not come to rest");
}

/** Has another worker claim runs; returns how it records them. */
async function claimElsewhere(world: JourneyWorld): Promise<() => Promise<unknown>> {
  const work = startWork(world);
  const signal = new AbortController().signal;
  const runs = await work.claim({ limit: 3, isOnlyProven: false });
  const results = await Promise.all(runs.map((run) => work.run(run, signal)));
  return () => runs.length === 0 ? Promise.resolve() : work.record(results);
}

async function rollBack({ sql, now }: JourneyWorld, results: string): Promise<void> {
  const outcome = sql.begin(async (tx) => {
    await tx`select private.complete_runs(${results}, ${new Date(now)})`;
    throw new Error("crashed");
  });
  await assert.rejects(outcome, { message: "crashed" });
}

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  Deno.test(`random definitions, events and crashes give the steps of the model (${seed})`, async () => {
    const random = createRandom(seed);
    await using world = await createJourneyWorld();
    const definition = createDefinition(random);
    const journeyId = await world.publish(definition);
    const people = ["user-1", "user-2", "user-3", "user-4"];
    const events = new Map<string, ModelEvent[]>();
    const ids = new Map<string, string>();
    for (let n = 0; n < 40; n++) {
      world.now += pick(random, [0, 1, 1000, 10 * minute, 25 * minute, hour]);
      await settleChaotically(world, random);
      const person = pick(random, people);
      const own = events.get(person) ?? [];
      events.set(person, own);
      const name = own.length === 0 ? "start" : pick(random, names);
      const kind = pick(random, names);
      own.push({ name, kind, at: world.now, place: own.length });
      const [id] = await world.track({ name, external_id: person, properties: { kind } });
      ids.set(person, id!);
      if (random() < 0.5) await settleChaotically(world, random);
    }
    await settleChaotically(world, random);
    const steps = await world.readSteps();
    for (const run of await world.readRuns()) {
      const [person] = [...ids].find(([, id]) => id === run.customer_id)!;
      const expected = followByHand(definition, {
        events: events.get(person)!,
        journeyId,
        customerId: run.customer_id,
        now: world.now,
      });
      const taken = steps.filter(({ run_id }) => run_id === run.id);
      const path = taken.map(({ step, outcome }) => `${step} ${outcome.way}`);
      if (run.state === "active") path.push(`at ${run.step}`);
      assert.equal(path.join(), expected, `${person}: ${JSON.stringify(definition)}`);
      assert.deepEqual(taken.map(({ visit }) => visit), taken.map((_, i) => i + 1));
    }
  });
}
