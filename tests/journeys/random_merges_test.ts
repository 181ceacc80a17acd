import assert from "node:assert/strict";
import type { Definition, Step } from "../../supabase/functions/_shared/journeys/definition.ts";
import type { RunResult } from "../../supabase/functions/automation/run_queue.ts";
import { createRandom, pick } from "../segments/segment_world.ts";
import { hour, type JourneyWorld, minute, startWork, testInWorlds } from "./journey_world.ts";
import {
  mergeCustomers,
  type ModelCustomer,
  type ModelJourney,
  moveCustomer,
} from "./run_model.ts";

const names = ["start", "a", "b", "c"];
const kinds = ["x", "y"];
const people = ["user-1", "user-2", "user-3", "user-4", "user-5"];

/** Random steps, each of which leads to later ones only. */
function createDefinition(random: () => number): Definition {
  const count = 3 + Math.floor(random() * 6);
  const steps: Record<string, Step> = { [`s${count}`]: { exit: {} } };
  for (let n = count - 1; n >= 0; n--) {
    steps[`s${n}`] = createStep(random, () => `s${n + 1 + Math.floor(random() * (count - n))}`);
  }
  return {
    trigger: { event: "start" },
    entry: {
      again: pick(random, ["never", "after_exit", "always"] as const),
      ...(random() < 0.5 ? { key: "trigger.kind" } : {}),
    },
    ...(random() < 0.4 ? { goal: { event: "c" } } : {}),
    start: "s0",
    steps,
  };
}

function createStep(random: () => number, later: () => string): Step {
  const kind = Math.floor(random() * 6);
  const duration = `${1 + Math.floor(random() * 90)}m`;
  if (kind === 0) return { wait: { for: duration }, next: later() };
  if (kind === 1) return { split: [{ weight: 1, next: later() }, { weight: 2, next: later() }] };
  if (kind === 2) return { update: { attributes: { n: 1 } }, next: later() };
  if (kind === 3) {
    const when = { field: "trigger.kind", op: "eq", value: pick(random, kinds) };
    return { branch: [{ when, next: later() }], else: later() };
  }
  const since = pick(random, ["step", "entry"] as const);
  const wait_for = { event: pick(random, ["a", "b"]), timeout: duration, since };
  return { wait_for, next: later(), on_timeout: later() };
}

/** Workers that hold claims, record in any order, repeat, crash, and have slow clocks. */
class Workers {
  #held: RunResult[][] = [];
  readonly #world: JourneyWorld;
  readonly #random: () => number;

  constructor(world: JourneyWorld, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  async act(): Promise<void> {
    const { now } = this.#world;
    if (this.#random() < 0.2) this.#world.now -= 10 * minute;
    await this.#fold(1 + Math.floor(this.#random() * 5));
    if (this.#random() < 0.7) await this.#claim();
    if (this.#held.length > 0 && this.#random() < 0.6) await this.#finish();
    this.#world.now = now;
  }

  /** Moves everything that is due. */
  async settle(): Promise<void> {
    for (let n = 0; n < 4; n++) await this.act();
    while (this.#held.length > 0) await this.#finish();
    await this.#expire();
    await this.#world.settle();
  }

  async #fold(limit: number): Promise<void> {
    const { sql, now } = this.#world;
    await sql`select private.fold_segments(${new Date(now)}, ${limit})`;
  }

  async #claim(): Promise<void> {
    const work = startWork(this.#world);
    const limit = 1 + Math.floor(this.#random() * 3);
    const runs = await work.claim({ limit, isOnlyProven: false });
    const { signal } = new AbortController();
    this.#held.push(await Promise.all(runs.map((run) => work.run(run, signal))));
  }

  async #finish(): Promise<void> {
    const [results] = this.#held.splice(Math.floor(this.#random() * this.#held.length), 1);
    const work = startWork(this.#world);
    const fate = this.#random();
    if (fate < 0.2) await this.#crash(results!);
    else await work.record(results!);
    // A lease that ran out: what others record late counts for nothing.
    if (fate < 0.3) await this.#expire();
    if (fate > 0.8) assert.equal(await work.record(results!), 0);
  }

  async #expire(): Promise<void> {
    const { sql, now } = this.#world;
    await sql`select private.expire_run_claims(${new Date(now + 2 * minute)})`;
  }

  /** Sends the statement, whose transaction is lost. */
  async #crash(results: readonly RunResult[]): Promise<void> {
    const { sql, now } = this.#world;
    const outcome = sql.begin(async (tx) => {
      await tx`select private.complete_runs(${JSON.stringify(results)}, ${new Date(now)})`;
      throw new Error("crashed");
    });
    await assert.rejects(outcome, { message: "crashed" });
  }
}

/** A world, and the model of what happens in it. */
class Comparison {
  readonly customers = new Map<string, ModelCustomer>();
  readonly #world: JourneyWorld;
  readonly #journey: ModelJourney;
  readonly #random: () => number;
  readonly #workers: Workers;
  #places = 0;

  constructor(world: JourneyWorld, journey: ModelJourney, random: () => number) {
    this.#world = world;
    this.#journey = journey;
    this.#random = random;
    this.#workers = new Workers(world, random);
  }

  async settle(): Promise<void> {
    await this.#workers.settle();
    for (const customer of new Set(this.customers.values())) {
      moveCustomer(customer, this.#journey, this.#world.now);
    }
  }

  /** Tracks one or two events of a person in one call. */
  async track(): Promise<void> {
    const random = this.#random;
    const person = pick(random, people);
    const at = this.#world.now;
    const events = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => {
      return { name: pick(random, names), kind: pick(random, kinds), at, place: this.#places++ };
    });
    const [id] = await this.#world.track(
      ...events.map(({ name, kind }) => ({ name, external_id: person, properties: { kind } })),
    );
    const empty = () => ({ id: id!, events: [], news: [], entered: new Set<string>(), runs: [] });
    const customer: ModelCustomer = this.customers.get(person) ?? empty();
    this.customers.set(person, customer);
    customer.events.push(...events);
    customer.news.push(...events);
  }

  async merge(): Promise<void> {
    const [to, from] = [pick(this.#random, people), pick(this.#random, people)];
    const [survivor, merged] = [this.customers.get(to), this.customers.get(from)];
    if (survivor === undefined || merged === undefined || survivor === merged) return;
    await this.#world.track({ kind: "alias", external_id: to, previous_id: from } as never);
    mergeCustomers(survivor, merged);
    for (const [person, customer] of this.customers) {
      if (customer === merged) this.customers.set(person, survivor);
    }
  }

  /** Compares paths and ends of all runs. */
  async check(): Promise<void> {
    const [runs, steps] = [await this.#world.readRuns(), await this.#world.readSteps()];
    const found = runs.map(({ id, customer_id, key, reason, step }) => {
      const taken = steps.filter(({ run_id }) => run_id === id);
      assert.deepEqual(taken.map(({ visit }) => visit), taken.map((_, n) => n + 1));
      const path = taken.map(({ step, outcome }) => `${step} ${outcome.way}`);
      return [customer_id, key, ...path, reason ?? `at ${step}`].join();
    });
    const expected = [...new Set(this.customers.values())].flatMap(({ id, runs }) =>
      runs.map(({ key, path, reason, step }) => [id, key, ...path, reason ?? `at ${step}`].join())
    );
    const context = JSON.stringify(this.#journey.definition);
    assert.deepEqual(found.toSorted(), expected.toSorted(), context);
  }
}

/** Compares the figures with the log, and asserts that every run that is inside has a timer. */
async function checkFigures({ sql, workspaceId }: JourneyWorld): Promise<void> {
  while ((await sql`select private.fold_journey_stats(1000) as done`)[0]!.done > 0);
  const differences = await sql`
    with runs as (
      select r.*, v.definition ->> 'start' as start
      from public.journey_runs as r
      join public.journey_versions as v using (workspace_id, journey_id, version)
      where r.workspace_id = ${workspaceId}
    ),
    steps as (select * from public.run_steps where workspace_id = ${workspaceId}),
    logged as (
      select k.step, k.kind, count(*) as count
      from (
        select '' as step, 'entered' as kind from runs
        union all select '', 'exited:' || reason from runs where reason is not null
        union all select '', 'goal' from runs where goal_at is not null
        union all select step, 'goal' from runs where goal_at is not null
        union all select start, 'came' from runs
        union all select outcome ->> 'to', 'came' from steps where outcome ->> 'to' is not null
        union all select step, 'left:' || (outcome ->> 'way') from steps
      ) as k
      group by 1, 2
    )
    select step, kind, l.count as logged, s.count as figure
    from logged as l
    full join (select * from public.journey_stats where workspace_id = ${workspaceId}) as s
      using (step, kind)
    where l.count is distinct from s.count`;
  assert.equal(differences.length, 0, JSON.stringify(differences));
  const lost = await sql`
    select from public.journey_runs
    where workspace_id = ${workspaceId} and state = 'active' and due_at = 'infinity'`;
  assert.equal(lost.length, 0);
}

const seeds = Array.from({ length: Number(Deno.env.get("TEST_RUNS") ?? 8) }, (_, n) => n + 1);

testInWorlds(
  "random definitions, events, merges, crashes and clocks give the steps of the model",
  Object.fromEntries(seeds.map((seed) => [`seed ${seed}`, async (world) => {
    const random = createRandom(seed);
    const definition = createDefinition(random);
    const journey = { id: await world.publish(definition), definition };
    const comparison = new Comparison(world, journey, random);
    for (let n = 0; n < 30; n++) {
      world.now += pick(random, [0, 1, 1000, 10 * minute, 25 * minute, hour]);
      await comparison.settle();
      await (random() < 0.12 ? comparison.merge() : comparison.track());
      await comparison.settle();
      await comparison.check();
    }
    await checkFigures(world);
  }])),
);
