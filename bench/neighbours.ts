import { parseArgs } from "node:util";
import { attacks } from "./support/attacks.ts";
import { type HostedService, startHostedService } from "./support/hosted_service.ts";
import { describeMachine } from "./support/machine.ts";
import type { NeighbourLoad, NeighbourResult } from "./support/neighbour_load.ts";
import { runScript, startReceiver } from "./support/processes.ts";
import { quantile } from "./support/quantile.ts";
import { print, printRow } from "./support/table.ts";
import { createTenant, type Tenant } from "./support/tenants.ts";

const widths = [54, 8, 8, 5, 8, 8, 5, 8, 8, 5, 16];
const headings = [
  "p95 in ms",
  ...["track", "attacked", "×", "api", "attacked", "×", "delivery", "attacked", "×"],
  "attacker got",
];
const mostGrowth = 1.5;
const warmUpSeconds = 5;

interface Bench {
  service: HostedService;
  receiver: string;
  neighbour: Tenant;
  seconds: number;
}

/** Latencies in ms. */
type Latencies = Record<keyof NeighbourResult, number[]>;

/**
 * The p95 of an ordinary tenant, alone and next to each kind of hostile one: `track`, `api` and
 * deliveries. The hostile tenants are free sign-ups. All share one Postgres and one instance of
 * each function, which run as hosted. Fails when a p95 grows by more than half.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: "string", default: "20" },
      rounds: { type: "string", default: "1" },
      only: { type: "string", default: "" },
    },
  });
  print(describeMachine());
  await using service = await startHostedService();
  await using receiver = await startReceiver();
  const neighbour = await createNeighbour(service, receiver.url);
  const bench = { service, receiver: receiver.url, neighbour, seconds: Number(values.seconds) };
  await measure({ ...bench, seconds: warmUpSeconds });
  printRow(headings, widths);
  const grown: string[] = [];
  for (const name of Object.keys(attacks).filter((name) => name.includes(values.only))) {
    if (await measureAttack(bench, { name, rounds: Number(values.rounds) })) grown.push(name);
  }
  if (grown.length > 0) throw new Error(`Latency p95 grew by more than half: ${grown.join("; ")}`);
}

/** An ordinary customer on a paid plan, with one destination. */
async function createNeighbour(service: HostedService, receiver: string): Promise<Tenant> {
  const neighbour = await createTenant(service, "neighbour@example.com");
  const { workspaceId } = neighbour;
  await service.sql`update public.workspaces set plan_id = 'pro' where id = ${workspaceId}`;
  await neighbour.post("/destinations", {
    name: "Warehouse",
    url: `${receiver}/ok`,
    event_types: ["order_created"],
  });
  return neighbour;
}

/** Prints a row; returns whether a p95 grew too much. */
async function measureAttack(
  bench: Bench,
  { name, rounds }: { name: string; rounds: number },
): Promise<boolean> {
  const attacker = await createTenant(bench.service, `${crypto.randomUUID()}@example.com`);
  const setUp = await attacks[name]!.prepare(attacker, bench.service.sql);
  const quiet: NeighbourResult[] = [];
  const attacked: NeighbourResult[] = [];
  const responses: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    quiet.push(await measure(bench));
    const ended = attack(bench, { name, setUp });
    attacked.push(await measure(bench));
    for (const [status, count] of Object.entries(await ended)) {
      responses[status] = (responses[status] ?? 0) + count;
    }
  }
  const [before, during] = [merge(quiet), merge(attacked)];
  const kinds = ["track", "api", "delivery"] as const;
  const ratios = kinds.map((kind) => p95(during[kind]) / p95(before[kind]));
  const cells = kinds.flatMap((kind, i) => [
    p95(before[kind]).toFixed(1),
    p95(during[kind]).toFixed(1),
    ratios[i]!.toFixed(2),
  ]);
  const got = Object.entries(responses).map(([status, count]) => `${count} × ${status}`).join(", ");
  printRow([name, ...cells, got], widths);
  return ratios.some((ratio) => !(ratio <= mostGrowth));
}

async function measure(bench: Bench): Promise<NeighbourResult> {
  const { service: { urls }, neighbour: { apiKey }, receiver, seconds } = bench;
  const load: NeighbourLoad = { urls, apiKey, receiver, seconds };
  return await runScript("neighbour_load.ts", load);
}

/** Attacks a little longer than is measured, for the measurement has a process to start. */
async function attack(
  { service: { urls }, seconds }: Bench,
  { name, setUp }: { name: string; setUp: unknown },
): Promise<Record<string, number>> {
  return await runScript("attack_load.ts", { name, setUp, urls, seconds: seconds + 2 });
}

function merge(results: readonly NeighbourResult[]): Latencies {
  const collect = (kind: keyof NeighbourResult) => {
    return results.flatMap((result) => result[kind]);
  };
  return { track: collect("track"), api: collect("api"), delivery: collect("delivery") };
}

function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}
