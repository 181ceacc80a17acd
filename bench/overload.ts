import { parseArgs } from "node:util";
import postgres from "postgres";
import { createApiKey, createWorkspace } from "../testing/data/factories.ts";
import { describePlatform } from "../testing/service/hosted_world.ts";
import { createTestSessions } from "../testing/service/sessions.ts";
import { startDatabase, writeBundle } from "./support/hosted_service.ts";
import { type Instance, startInstance } from "./support/instances.ts";
import { describeMachine } from "./support/machine.ts";
import type { OverloadLoad, OverloadResult } from "./support/overload_load.ts";
import { runScript } from "./support/processes.ts";
import { quantile } from "./support/quantile.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

interface Bench {
  track: Instance;
  apiKey: string;
  size: number;
}

interface Phase {
  result: OverloadResult;
  /** Memory of the instance every second, in MiB. */
  memory: number[];
}

const times = 3;
/** Share of the sustainable rate that is sent afterwards, without waiting for responses. */
const share = 0.8;
const warmUpSeconds = 3;
const mostAdmittedMs = 250;
const mostConnections = 1_000;
/** Entries under way while the sustainable rate is measured. */
const steadyEntries = 1_600;
const headings = ["", "requests/s sent", "stored/s", "of sustainable", "429 and 503"]
  .concat(["with Retry-After", "p50 ms stored", "p99 ms stored", "p99 ms refused"])
  .concat(["MiB at start", "MiB at most", "MiB at end"]);

/**
 * One instance of `track` as it is hosted, at three times the rate that it sustains, and afterwards.
 * Fails if a refusal has no `Retry-After`, if anything else than 200, 429 and 503 comes back, or if
 * the p99 of stored requests is over 250 ms.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: "string", default: "15" },
      size: { type: "string", default: "100" },
    },
  });
  const seconds = Number(values.seconds);
  print(describeMachine());
  await using cleanup = new AsyncDisposableStack();
  const bench = await createBench(cleanup, Number(values.size));
  const steady = { perSecond: null, connections: Math.ceil(steadyEntries / bench.size) };
  await measure(bench, { ...steady, seconds: warmUpSeconds });
  const before = await measure(bench, { ...steady, seconds: Math.min(seconds, 10) });
  const sustainable = before.result.admitted.length / before.result.seconds;
  const overload = { perSecond: times * sustainable, connections: mostConnections };
  const during = await measure(bench, { ...overload, seconds });
  const usual = { perSecond: share * sustainable, connections: mostConnections };
  const after = await measure(bench, { ...usual, seconds: Math.min(seconds, 10) });
  print(`\nRequests of ${bench.size} entries with keys`);
  printMarkdown(headings, [
    describePhase("as fast as it stores", before, sustainable),
    describePhase(`${times} times as much for ${seconds} s`, during, sustainable),
    describePhase(`directly afterwards, ${share} times as much`, after, sustainable),
  ]);
  check(during.result);
}

async function createBench(cleanup: AsyncDisposableStack, size: number): Promise<Bench> {
  const databaseUrl = await startDatabase(cleanup);
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql`
    insert into public.plans (id, ingest_per_second, ingest_burst, api_per_second, api_burst)
    values ('bench', 10000000, 10000000, 1000, 1000)`;
  const workspaceId = await createWorkspace(sql, { planId: "bench" });
  const apiKey = await createApiKey(sql, { workspaceId });
  await sql.end();
  const { jwks } = await createTestSessions();
  const env = { ...describePlatform({ databaseUrl, jwks }), LOG_LEVEL: "error" };
  const bundle = cleanup.use(await writeBundle("track"));
  const first = {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ external_id: "first", name: "started" }),
  };
  const track = await startInstance(cleanup, { name: "track", bundle, env, first });
  return { track, apiKey, size };
}

async function measure(
  { track, apiKey, size }: Bench,
  load: Pick<OverloadLoad, "perSecond" | "seconds" | "connections">,
): Promise<Phase> {
  const memory = [track.readMemory()];
  const sampling = setInterval(() => memory.push(track.readMemory()), 1_000);
  try {
    const result = await runScript<OverloadResult>("overload_load.ts", {
      ...load,
      url: track.url,
      apiKey,
      size,
    });
    memory.push(track.readMemory());
    return { result, memory };
  } finally {
    clearInterval(sampling);
  }
}

function describePhase(name: string, { result, memory }: Phase, sustainable: number): string[] {
  const { admitted, refused, seconds, withRetryAfter } = result;
  const total = admitted.length + refused.length;
  const stored = admitted.length / seconds;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    name,
    formatCount((total + result.unsent) / seconds),
    formatCount(stored),
    percent(stored / sustainable),
    percent(refused.length / total),
    refused.length === 0 ? "" : percent(withRetryAfter / refused.length),
    rank(admitted, 0.5),
    rank(admitted, 0.99),
    rank(refused, 0.99),
    ...[memory[0]!, Math.max(...memory), memory.at(-1)!].map((mib) => mib.toFixed(0)),
  ];
}

function rank(values: readonly number[], share: number): string {
  return values.length === 0 ? "" : quantile(values, share).toFixed(0);
}

function check({ statuses, refused, withRetryAfter, admitted, unsent }: OverloadResult): void {
  const others = Object.keys(statuses).filter((status) => !["200", "429", "503"].includes(status));
  const problems = [
    ...others.map((status) => `${statuses[status]} requests ended with ${status}`),
    ...withRetryAfter < refused.length ? ["a refusal has no Retry-After"] : [],
    ...quantile(admitted, 0.99) > mostAdmittedMs ? [`p99 is over ${mostAdmittedMs} ms`] : [],
  ];
  if (unsent > 0) print(`\n${formatCount(unsent)} requests were not sent: too many waited`);
  if (problems.length > 0) throw new Error(`Overload is not handled: ${problems.join("; ")}`);
}
