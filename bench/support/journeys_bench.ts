import type postgres from "postgres";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { runLimits } from "../../supabase/functions/automation/automation_worker.ts";
import { spawnAutomation } from "../../testing/service/spawn_automation.ts";
import { createDispatchBench } from "./dispatch_bench.ts";
import { describeMachine } from "./machine.ts";
import { quantile } from "./quantile.ts";
import { formatCount, print } from "./table.ts";

/** Steps without a wait, then a wait of a day. */
const definition = {
  trigger: { event: "signed_up" },
  entry: { again: "always" },
  start: "split",
  steps: {
    split: { split: [{ weight: 1, next: "branch" }, { weight: 1, next: "branch" }] },
    branch: {
      branch: [{ when: { field: "attributes.plan", op: "eq", value: "pro" }, next: "again" }],
      else: "again",
    },
    again: { split: [{ weight: 1, next: "pause" }] },
    pause: { wait: { for: "1d" } },
  },
};
const stepsPerRun = 3;
/** Calls of ingest per second beside the moving runs, and their number before. */
const calls = { perSecond: 50, before: 250 };

/**
 * Runs of journeys: steps per second, the time in which runs that are due at one instant have moved,
 * the p99 of ingest meanwhile, and what an idle service pays for parked ones. Prints the figures.
 *
 * @param args number of runs, and of parked ones. @default 20,000 and 100,000
 */
export async function measureJourneys([runCount = "20000", parkedCount = "100000"]: string[]) {
  const [runs, parked] = [Number(runCount), Number(parkedCount)];
  print(describeMachine());
  await using bench = await createDispatchBench();
  const { sql } = bench;
  const workspaceId = await bench.addWorkspace();
  const [journey] = await sql<{ id: string }[]>`
    select private.insert_journey(${workspaceId}, ${
    sql.json({ name: "Bench", definition })
  }) as id`;
  await sql`
    select private.make_version(${workspaceId}, ${journey!.id}, ${sql.json({ definition })})`;
  await insertRuns(sql, { workspaceId, journeyId: journey!.id, step: "split", count: runs });
  const pacer = { sql, workspaceId };
  const before = await measureIngest(pacer, (done) => done >= calls.before);
  const started = performance.now();
  let isMoving = true;
  const meanwhile = measureIngest(pacer, () => !isMoving);
  await moveAll(bench.url, sql);
  const seconds = (performance.now() - started) / 1000;
  isMoving = false;
  print(`Runs due at one instant: ${formatCount(runs)} moved in ${seconds.toFixed(1)} s`);
  print(`Steps: ${formatCount(runs * stepsPerRun / seconds)} per second`);
  print(
    `Ingest of one event, p99: ${before.toFixed(0)} ms, meanwhile ${
      (await meanwhile).toFixed(0)
    } ms`,
  );
  await insertRuns(sql, { workspaceId, journeyId: journey!.id, step: "pause", count: parked });
  await moveAll(bench.url, sql);
  const asked = performance.now();
  for (let n = 0; n < 100; n++) await sql`select private.wake_automation_if_due()`;
  print(
    `${formatCount(parked + runs)} parked runs: a look for due work takes ` +
      `${((performance.now() - asked) / 100).toFixed(2)} ms`,
  );
}

/** Stores an event at a time, at a steady rate, until it is over; returns the p99 in ms. */
async function measureIngest(
  { sql, workspaceId }: { sql: postgres.Sql; workspaceId: string },
  isOver: (done: number) => boolean,
): Promise<number> {
  const times: number[] = [];
  const startedAt = performance.now();
  while (!isOver(times.length)) {
    const at = performance.now();
    const entry = { external_id: `person-${times.length % 1_000}`, name: "page_view" };
    await ingestEntries(sql, [{ workspace_id: workspaceId, kind: "event", ...entry }]);
    times.push(performance.now() - at);
    const next = startedAt + times.length * 1_000 / calls.perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  return quantile(times, 0.99);
}

async function insertRuns(
  sql: postgres.Sql,
  { workspaceId, journeyId, step, count }: {
    workspaceId: string;
    journeyId: string;
    step: string;
    count: number;
  },
): Promise<void> {
  await sql`
    with people as (
      insert into public.customers (workspace_id, id)
      select ${workspaceId}, gen_random_uuid() from generate_series(1, ${count})
      returning id
    ),
    runs as (
      insert into public.journey_runs (
        workspace_id, id, journey_id, version, customer_id, step, stepped_at, entered_at, due_at,
        is_parallel
      )
      select
        ${workspaceId}, gen_random_uuid(), ${journeyId}, 1, p.id, ${step}, now(), now(), now(), true
      from people as p
    )
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    values (${workspaceId}, ${journeyId}, now())`;
  await sql`analyze public.journey_runs, public.customers`;
}

/** Lets a worker with the limits of the function work, in a process of its own, until no run is due. */
async function moveAll(url: string, sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ due: boolean }[]>`
      select coalesce(private.next_run_at() <= now(), false) as due`;
    if (!row!.due) return;
    const limits = { ...runLimits, lingerMs: 0, horizonMs: 0 };
    const { success } = await spawnAutomation(url, limits).status;
    if (!success) throw new Error("Cannot measure: the worker failed");
  }
}
