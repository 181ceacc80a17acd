import type postgres from "postgres";
import { createAutomationWorker } from "../../supabase/functions/automation/automation_worker.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createDispatchBench } from "./dispatch_bench.ts";
import { describeMachine } from "./machine.ts";
import { print } from "./table.ts";

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

/**
 * Runs of journeys: steps per second, the time in which runs that are due at one instant have moved,
 * and what an idle service pays for parked ones. Prints the figures.
 */
export async function measureJourneys(runs = 20_000, parked = 100_000): Promise<void> {
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
  const started = performance.now();
  await moveAll(bench.url, sql);
  const seconds = (performance.now() - started) / 1000;
  print(`Runs due at one instant: ${runs} moved in ${seconds.toFixed(1)} s`);
  print(`Steps: ${(runs * stepsPerRun / seconds).toFixed(0)} a second`);
  await insertRuns(sql, { workspaceId, journeyId: journey!.id, step: "pause", count: parked });
  await moveAll(bench.url, sql);
  const asked = performance.now();
  for (let n = 0; n < 100; n++) await sql`select private.wake_automation_if_due()`;
  print(
    `${parked + runs} parked runs: a look for due work takes ` +
      `${((performance.now() - asked) / 100).toFixed(2)} ms`,
  );
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
    )
    insert into public.journey_runs (
      workspace_id, id, journey_id, version, customer_id, step, stepped_at, entered_at, due_at, is_parallel
    )
    select ${workspaceId}, gen_random_uuid(), ${journeyId}, 1, p.id, ${step}, now(), now(), now(), true
    from people as p`;
  await sql`analyze public.journey_runs, public.customers`;
  await sql`
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    values (${workspaceId}, ${journeyId}, now() - interval '1 second')`;
}

/** Works until no run is due. */
async function moveAll(url: string, sql: postgres.Sql): Promise<void> {
  const own = connectDatabase({
    url,
    role: "signalpost_automation",
    applicationName: "bench-automation",
  });
  const worker = createAutomationWorker({
    sql: own,
    log: createLog({ name: "automation", level: "error" }),
    now: () => new Date(),
    limits: { lingerMs: 0, horizonMs: 0 },
  });
  for (;;) {
    await worker.wake();
    const [row] = await sql<{ due: boolean }[]>`
      select coalesce(private.next_run_at() <= now(), false) as due`;
    if (!row!.due) break;
  }
  await own.end({ timeout: 1 });
}
