import { parseArgs } from "node:util";
import type { ApiRead } from "../testing/access/api_read.ts";
import { listApiReads } from "../testing/access/api_reads.ts";
import { type ApiWorld, createApiWorld } from "../testing/service/api_world.ts";
import { fillLargeWorkspace, type LargeWorkspace } from "../testing/data/large_workspace.ts";
import { fullSize } from "../testing/data/workspace_size.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { describeMachine } from "./support/machine.ts";
import { median, quantile } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const widths = [58, 8, 8, 8];
const limitMs = 100;
const turns = 50;

/**
 * Builds one large workspace and times every read of the api, through the whole function: token,
 * quota, validation, the caller's transaction, policies, response. Fails over 100 ms (p95).
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: String(fullSize.events) },
      customers: { type: "string", default: String(fullSize.customers) },
      deliveries: { type: "string", default: String(fullSize.deliveries) },
      calls: { type: "string", default: "100" },
    },
  });
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  await using world = await createApiWorld();
  // The list of one's workspaces is taken from the user's own bucket, that of the free plan.
  await world.sql`update public.plans set api_per_second = 10000, api_burst = 100000`;
  const size = {
    ...fullSize,
    events: Number(values.events),
    customers: Number(values.customers),
    deliveries: Number(values.deliveries),
  };
  const started = performance.now();
  const { workspaceId } = world;
  const large = await fillLargeWorkspace(world.sql, { workspaceId, size });
  const counts = Object.entries(size).map(([name, count]) => {
    return `${formatCount(count)} ${
      name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    }`;
  });
  print(counts.join(", "));
  print(`made in ${formatCount((performance.now() - started) / 1000)} s\n`);
  const token = await world.signInAs("admin");
  printRow(["", "p50 ms", "p95 ms", "max ms"], widths);
  const slow = [];
  for (const read of listApiReads(large)) {
    const times = await timeRead(world, { read, token, calls: Number(values.calls) });
    const [p50, p95, max] = [0.5, 0.95, 1].map((share) => quantile(times, share));
    printRow([`${read.operationId} ${read.title}`, ...[p50, p95, max].map(format)], widths);
    if (p95! > limitMs) slow.push(read.operationId);
  }
  print();
  printRow(["", "page 1", "page 100", "ratio"], widths);
  for (const path of listLongLists(large)) {
    const [first, hundredth] = await timePages(world, { path, token });
    const ratio = (hundredth / first).toFixed(2);
    printRow(
      [path.replaceAll(/[0-9a-f-]{36}/g, "…"), format(first), format(hundredth), ratio],
      widths,
    );
  }
  if (slow.length > 0) throw new Error(`Over ${limitMs} ms: ${slow.join(", ")}`);
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
  return times;
}

function listLongLists({ sourceIds }: LargeWorkspace): string[] {
  return [
    "/events",
    "/events?name=event_1",
    "/customers",
    "/deliveries",
    `/sources/${sourceIds[0]}/receipts`,
    "/rejected-entries",
    "/audit-log",
  ];
}

/** Medians of a list's first page and its hundredth, asked for in turns. */
async function timePages(
  world: ApiWorld,
  { path, token }: { path: string; token: string },
): Promise<[first: number, hundredth: number]> {
  const { workspaceId } = world;
  const pathAt = (cursor: string) => `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
  let hundredth = path;
  for (let page = 1; page < 100; page++) {
    const { body } = await world.send({ path: hundredth, token, workspaceId });
    hundredth = pathAt(body.next_cursor);
  }
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, page] of [path, hundredth].entries()) {
      const started = performance.now();
      await world.send({ path: page, token, workspaceId });
      times[i]!.push(performance.now() - started);
    }
  }
  return [median(times[0]), median(times[1])];
}

function format(ms: number | undefined): string {
  return (ms ?? 0).toFixed(1);
}
