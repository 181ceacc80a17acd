import { parseArgs } from "node:util";
import { createDispatchBench, type DispatchBench } from "./support/dispatch_bench.ts";
import { describeMachine } from "./support/machine.ts";
import { publishPaced } from "./support/paced_load.ts";
import { median } from "./support/quantile.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

const tables = ["idempotency_keys", "usage_deltas", "webhook_queue", "lanes", "lane_arrivals"];
/** Keys expire after this time instead of a day, so that a short run deletes as many as it adds. */
const keySeconds = 10;
const taskMs = 2_000;
const sampleMs = 1_000;
const limit = 1.2;

/**
 * The size of the tables that are rewritten all the time, under a steady load with keys and
 * deliveries. Fails if one is over 20 % larger at the end than halfway: what deleted rows leave is
 * not used again in time. Each size is the median over a tenth of the run, because a table grows
 * until the next vacuum and then shrinks.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: "string", default: "90" },
      rate: { type: "string", default: "1000" },
    },
  });
  const seconds = Number(values.seconds);
  print(describeMachine());
  await using bench = await createDispatchBench();
  await bench.sql`alter system set autovacuum_naptime = '5s'`;
  await bench.sql`select pg_reload_conf()`;
  const workspaceId = await bench.addWorkspace();
  for (let n = 0; n < 20; n++) await bench.addDestination({ workspaceId, eventType: `event_${n}` });
  const samples: Map<string, number>[] = [];
  const tasks = setInterval(() => void runTasks(bench).catch(() => {}), taskMs);
  const sampling = setInterval(() => {
    void readSizes(bench).then((sizes) => samples.push(sizes), () => {});
  }, sampleMs);
  const pick = (n: number) => ({ workspaceId, name: `event_${n % 20}` });
  const perSecond = Number(values.rate);
  await publishPaced(bench.sql, { perSecond, seconds, pick, hasKeys: true });
  clearInterval(tasks);
  clearInterval(sampling);
  report(samples);
}

/** As every 10 s, but more often, with keys that expire sooner. */
async function runTasks({ sql }: DispatchBench): Promise<void> {
  await sql`
    update private.idempotency_keys set created_at = created_at - interval '1 day'
    where created_at between now() - interval '1 hour' and now() - ${keySeconds} * interval '1 second'`;
  await sql`select private.run_frequent_tasks()`;
}

async function readSizes({ sql }: DispatchBench): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class as c
    where c.relnamespace = 'private'::regnamespace
      and c.relname in (select jsonb_array_elements_text(${sql.json(tables)}))`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

function report(samples: readonly Map<string, number>[]): void {
  const grown: string[] = [];
  const rows = tables.map((name) => {
    const sizes = samples.map((each) => each.get(name) ?? 0);
    const [middle, end] = [medianOf(sizes, 0.45), medianOf(sizes, 0.9)];
    const ratio = middle === 0 ? 1 : end / middle;
    if (ratio > limit) grown.push(name);
    return [name, formatCount(middle / 1024), formatCount(end / 1024), ratio.toFixed(2)];
  });
  print();
  printMarkdown(["table", "kB halfway", "kB at the end", "ratio"], rows);
  if (grown.length > 0) throw new Error(`Grew by over 20 %: ${grown.join(", ")}`);
}

/** The median of a tenth of the values, from this share of them on. */
function medianOf(values: readonly number[], from: number): number {
  const [start, end] = [from, from + 0.1].map((share) => Math.floor(share * values.length));
  return median(values.slice(start, end));
}
