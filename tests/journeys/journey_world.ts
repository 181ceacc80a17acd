import assert from "node:assert/strict";
import type postgres from "postgres";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import type { IngestEntry } from "../../supabase/functions/_shared/entries/ingest.ts";
import { createRunWork } from "../../supabase/functions/automation/run_work.ts";
import { createAutomationTasks } from "../../supabase/functions/automation/tasks.ts";
import type { ClaimedRun, RunResult } from "../../supabase/functions/automation/run_queue.ts";
import type { Work } from "../../supabase/functions/_shared/work/work.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

/** A workspace whose clock a test moves. */
export interface JourneyWorld extends AsyncDisposable {
  sql: postgres.Sql;
  workspaceId: string;
  /** The time that the fold and the worker see, in ms since 1970. */
  now: number;
  /** Creates a journey and publishes it; returns its id. */
  publish(definition: Definition): Promise<string>;
  /** Stores events of customers as received now; returns the ids of the customers. */
  track(...entries: TestEntry[]): Promise<string[]>;
  /** Folds and moves runs until nothing is due now. */
  settle(): Promise<void>;
  /** Moves the clock on, then settles. */
  pass(ms: number): Promise<void>;
  readRuns(): Promise<TestRun[]>;
  readSteps(): Promise<TestStep[]>;
}

/** An event of the customer "user-1" unless it says otherwise. */
export type TestEntry = Partial<IngestEntry> & { name?: string };

export interface TestRun {
  id: string;
  journey_id: string;
  version: number;
  customer_id: string;
  key: string;
  state: string;
  reason: string | null;
  step: string;
  wake_at: Date | null;
  exited_at: Date | null;
}

export interface TestStep {
  run_id: string;
  visit: number;
  step: string;
  at: Date;
  outcome: Record<string, unknown>;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Creates an empty workspace; its clock shows the time of the machine, in whole seconds. */
export async function createJourneyWorld(): Promise<JourneyWorld> {
  const db = await createTestDatabase();
  const { sql } = db;
  return startJourneyWorld({
    sql,
    workspaceId: await createWorkspace(sql),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  });
}

/**
 * Runs cases one after the other as steps of one test, each in a workspace of its own: a database
 * takes longer to create than most cases take.
 */
export function testInWorlds(
  title: string,
  cases: Readonly<Record<string, (world: JourneyWorld) => Promise<void>>>,
): void {
  Deno.test(title, async (t) => {
    await using db = await createTestDatabase();
    const { sql } = db;
    for (const [name, run] of Object.entries(cases)) {
      await t.step(name, async () => {
        const workspaceId = await createWorkspace(sql);
        await using world = startJourneyWorld({
          sql,
          workspaceId,
          [Symbol.asyncDispose]: () => retire(sql, workspaceId),
        });
        await run(world);
      });
    }
  });
}

/** Leaves nothing to do in a workspace. */
async function retire(sql: postgres.Sql, workspaceId: string): Promise<void> {
  for (const table of ["signals", "journey_lanes", "journey_jobs", "journey_dates"]) {
    await sql`delete from ${sql(`private.${table}`)} where workspace_id = ${workspaceId}`;
  }
  await sql`
    update public.journey_runs set claim = null, lease_until = null
    where workspace_id = ${workspaceId} and claim is not null`;
  await sql`
    update private.segment_lanes set next_check_at = 'infinity'
    where workspace_id = ${workspaceId}`;
  await sql`delete from private.segment_jobs where workspace_id = ${workspaceId}`;
}

/** Moves the clock of an existing workspace. */
export function startJourneyWorld(
  { sql, workspaceId, ...place }: Pick<JourneyWorld, "sql" | "workspaceId"> & AsyncDisposable,
): JourneyWorld {
  const world: JourneyWorld = {
    sql,
    workspaceId,
    now: Math.ceil(Date.now() / second) * second,
    publish: (definition) => publishJourney(world, definition),
    track: (...entries) => trackEntries(world, entries),
    settle: () => settle(world),
    async pass(ms) {
      world.now += ms;
      await settle(world);
    },
    readRuns: () =>
      sql<TestRun[]>`
      select * from public.journey_runs where workspace_id = ${workspaceId}
      order by entered_at, entered_id, id`,
    readSteps: () =>
      sql<TestStep[]>`
      select * from public.run_steps where workspace_id = ${workspaceId} order by run_id, visit`,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
  return world;
}

async function publishJourney(world: JourneyWorld, definition: Definition): Promise<string> {
  const { sql, workspaceId } = world;
  const journey = { name: "Some", definition };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_journey(${workspaceId}, ${sql.json(journey as never)}) as id`;
  await publishVersion(world, { id: row!.id, definition });
  return row!.id;
}

/** Publishes another version of a journey. */
export async function publishVersion(
  { sql, workspaceId }: JourneyWorld,
  { id, ...options }: { id: string; definition: Definition; inside?: "stay" | "move" },
): Promise<void> {
  await sql`select private.make_version(${workspaceId}, ${id}, ${sql.json(options as never)})`;
}

/** Changes the state of a journey. */
export async function setState(
  { sql, workspaceId }: JourneyWorld,
  { id, state, ...options }: { id: string; state: string; late?: "skip" },
): Promise<void> {
  await sql`
    select private.change_journey_state(
      ${workspaceId}, ${id}, ${state}, ${sql.json(options as never)}
    )`;
}

async function trackEntries(
  { sql, workspaceId, now }: JourneyWorld,
  entries: readonly TestEntry[],
): Promise<string[]> {
  const results = await ingestEntries(
    sql,
    entries.map((entry) => ({
      workspace_id: workspaceId,
      kind: "event",
      external_id: "user-1",
      ...entry,
    } as IngestEntry)),
  );
  const ids = results.map((result) => (result as { event_id: string }).event_id).filter(Boolean);
  const at = new Date(now);
  // As if the clock of the database showed the world's time.
  await sql`
    update public.events set received_at = ${at}, occurred_at = ${at}
    where id in (select jsonb_array_elements_text(${sql.json(ids)})::uuid)`;
  await sql`
    update private.signals set received_at = ${at}, at = ${at}
    where event_id in (select jsonb_array_elements_text(${sql.json(ids)})::uuid)`;
  return results.map((result) => (result as { customer_id: string }).customer_id);
}

/** Starts the work of a worker whose clock is the world's, or `ahead` of it by so many ms. */
export function startWork(world: JourneyWorld, ahead = 0): Work<ClaimedRun, RunResult> {
  const deps = {
    sql: world.sql,
    log: silentLog,
    now: () => new Date(world.now + ahead),
    databaseNow: () => new Date(world.now),
  };
  return createRunWork(deps, createAutomationTasks(deps));
}

const silentLog = {
  error: (message: string, fields: unknown) => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  },
} as never;

/** Folds until nothing is left. */
export async function fold({ sql, now }: JourneyWorld): Promise<void> {
  for (let round = 0; round < 1000; round++) {
    const [row] = await sql<{ done: number }[]>`select private.fold_segments(${new Date(
      now,
    )}) as done`;
    const [lane] = await sql<{ last_error: string }[]>`
      select last_error from private.segment_lanes where last_error is not null`;
    assert.equal(lane?.last_error, undefined);
    if (row!.done === 0) return;
  }
  assert.fail("the folds do not come to an end");
}

async function settle(world: JourneyWorld): Promise<void> {
  const work = startWork(world);
  let isSpent = false;
  const run = { isSpent: () => isSpent, noteWork: () => {}, spend: () => {} };
  for (let round = 0; round < 1000; round++) {
    await fold(world);
    for (const task of work.tasks ?? []) await task.work(run);
    const runs = await work.claim({ limit: 1000, isOnlyProven: false });
    if (runs.length > 0) {
      const signal = new AbortController().signal;
      await work.record(await Promise.all(runs.map((item) => work.run(item, signal))));
      continue;
    }
    const [due] = await world.sql<{ due: boolean }[]>`
      select exists (select from private.signals) or
        coalesce(private.next_run_at(${new Date(world.now)}) <= ${new Date(
      world.now,
    )}, false) as due`;
    if (!due!.due) return;
  }
  isSpent = true;
  assert.fail("the runs do not come to rest");
}

/** Lists what happened as "<step> <way>", per run in the order of entry. */
export async function readPaths(world: JourneyWorld): Promise<string[]> {
  const runs = await world.readRuns();
  const steps = await world.readSteps();
  return runs.map(({ id, state, reason, step }) => {
    const taken = steps.filter((one) => one.run_id === id)
      .map(({ step, outcome }) => `${step} ${outcome.skipped ?? outcome.way}`);
    return [...taken, state === "active" ? `at ${step}` : reason].join(", ");
  });
}
