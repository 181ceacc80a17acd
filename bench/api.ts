import { parseArgs } from "node:util";
import { type ApiRead, listApiReads } from "../tests/support/api_reads.ts";
import { type ApiWorld, createApiWorld } from "../tests/support/api_world.ts";
import { createTemplate, startTestCluster } from "../tests/support/cluster.ts";
import { fillLargeWorkspace } from "../tests/support/large_workspace.ts";
import { describeMachine } from "./support/machine.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const WIDTHS = [58, 8, 8, 8];
const LIMIT_MS = 100;

/**
 * Builds one large workspace and times every read of the api, through the whole function: token,
 * quota, validation, the caller's transaction, policies, answer. Fails over 100 ms (p95).
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: "5000000" },
      customers: { type: "string", default: "200000" },
      deliveries: { type: "string", default: "1000000" },
      calls: { type: "string", default: "100" },
    },
  });
  print(describeMachine());
  await using cluster = await startTestCluster();
  Deno.env.set("TEST_DB_URL", cluster.url);
  Deno.env.set("TEST_TEMPLATE", await createTemplate(cluster));
  await using world = await createApiWorld();
  // The list of one's workspaces is taken from the user's own bucket, that of the free plan.
  await world.sql`update public.plans set api_per_second = 10000, api_burst = 100000`;
  const size = {
    events: Number(values.events),
    customers: Number(values.customers),
    deliveries: Number(values.deliveries),
  };
  const started = performance.now();
  const { workspaceId } = world;
  const large = await fillLargeWorkspace(world.sql, { workspaceId, size });
  print(
    `${formatCount(size.events)} events, ${formatCount(size.customers)} customers, ` +
      `${formatCount(size.deliveries)} deliveries, made in ` +
      `${formatCount((performance.now() - started) / 1000)} s\n`,
  );
  const token = await world.signInAs("admin");
  printRow(["", "p50 ms", "p95 ms", "max ms"], WIDTHS);
  const slow = [];
  for (const read of listApiReads(large)) {
    const times = await timeRead(world, { read, token, calls: Number(values.calls) });
    const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(times, share));
    printRow([`${read.operationId} ${read.title}`, ...[p50, p95, max].map(format)], WIDTHS);
    if (p95! > LIMIT_MS) slow.push(read.operationId);
  }
  for (const line of await timePages(world, token)) print(line);
  if (slow.length > 0) throw new Error(`Over ${LIMIT_MS} ms: ${slow.join(", ")}`);
}

interface Timing {
  read: ApiRead;
  token: string;
  calls: number;
}

async function timeRead(world: ApiWorld, { read, token, calls }: Timing): Promise<number[]> {
  const { workspaceId } = world;
  const times = [];
  for (let n = 0; n < calls; n++) {
    const started = performance.now();
    const { status, body } = await world.send({ path: read.path(n), token, workspaceId });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`Cannot read ${read.path(n)}: ${JSON.stringify(body)}`);
  }
  return times.toSorted((a, b) => a - b);
}

/** The first page and the hundredth of the long lists. */
async function timePages(world: ApiWorld, token: string): Promise<string[]> {
  const { workspaceId } = world;
  const lines = [""];
  for (const path of ["/events", "/events?name=event_1", "/customers", "/deliveries"]) {
    const times: number[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 100; page++) {
      const query: string = cursor === null
        ? ""
        : `${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
      const started = performance.now();
      const { body } = await world.send({ path: path + query, token, workspaceId });
      times.push(performance.now() - started);
      cursor = body.next_cursor;
    }
    const median = (part: number[]) => percentile(part.toSorted((a, b) => a - b), 0.5);
    const [first, last] = [median(times.slice(0, 10)), median(times.slice(-10))];
    lines.push(`${path}: pages 1 to 10 ${format(first)} ms, 91 to 100 ${format(last)} ms`);
  }
  return lines;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function format(ms: number | undefined): string {
  return (ms ?? 0).toFixed(1);
}
