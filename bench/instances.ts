import { parseArgs } from "node:util";
import postgres from "postgres";
import { createSecretBox } from "../supabase/functions/_shared/secrets/secrets.ts";
import { createApiKey, createWorkspace } from "../testing/data/factories.ts";
import {
  createLogins,
  documentedLogins,
  loginsOfFunctions,
} from "../testing/postgres/documented_logins.ts";
import { startPgBouncer } from "../testing/postgres/pgbouncer.ts";
import { findOnPath } from "../testing/run/programs.ts";
import type { UnpackedFunction } from "../testing/service/hosted_functions.ts";
import { describePlatform, dispatchKey } from "../testing/service/hosted_world.ts";
import { createTestSessions } from "../testing/service/sessions.ts";
import { addDestination } from "./support/dispatch_bench.ts";
import { startDatabase, writeBundle } from "./support/hosted_service.ts";
import { type Instance, startInstance } from "./support/instances.ts";
import {
  type InstanceBench,
  measureApi,
  measureDispatch,
  measureDuplicates,
  measureQuota,
  measureTrack,
  type Throughput,
} from "./support/instance_load.ts";
import { describeMachine } from "./support/machine.ts";
import { startReceiver } from "./support/processes.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

/** The way to the database. */
interface Route {
  name: string;
  environmentOf(name: string): Record<string, string>;
}

const counts = [1, 2, 4];
const poolSize = 5;
const headings = [
  "function",
  "instances",
  "to Postgres",
  "per s",
  "to one",
  "p99 ms",
  "connections",
]
  .concat(["MiB each", "first response ms", "exact"]);

/**
 * One, two and four instances of each function against one database: throughput, connections,
 * memory, the time to the first response, and that quotas, deduplication and deliveries are exact.
 * Fails if they are not.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: "string", default: "5" } } });
  print(describeMachine());
  await using cleanup = new AsyncDisposableStack();
  const bench = await createBench(cleanup, Number(values.seconds));
  const routes = await listRoutes(cleanup, bench);
  const rows: string[][] = [];
  for (const route of routes) {
    for (const name of ["track", "api", "webhook-dispatch"]) {
      await using bundle = await writeBundle(name);
      let one = NaN;
      for (const count of counts) {
        const measured = await measureInstances(bench, { name, bundle, count, route });
        if (count === 1) one = measured.perSecond;
        rows.push(describeRow({ name, count, route, measured, one }));
      }
    }
  }
  print();
  printMarkdown(headings, rows);
  if (routes.length === 1) print("\nPgBouncer is not installed: measured without it");
}

interface Measured extends Throughput {
  /** The most of any instance, after the load, in MiB. */
  memory: number;
  /** Time to the first response, the longest of all instances, in ms. */
  startMs: number;
  exact: string;
}

interface Measurement {
  name: string;
  bundle: UnpackedFunction;
  count: number;
  route: Route;
}

async function measureInstances(
  bench: InstanceBench,
  { name, bundle, count, route }: Measurement,
): Promise<Measured> {
  await using cleanup = new AsyncDisposableStack();
  const env = { ...bench.environment, ...route.environmentOf(name), LOG_LEVEL: "error" };
  const first = firstRequest(bench, name);
  const instances: Instance[] = [];
  for (let n = 0; n < count; n++) {
    instances.push(await startInstance(cleanup, { name, bundle, env, first }));
  }
  const urls = instances.map(({ url }) => url);
  const measured = await measureFunction(bench, name, urls);
  const memory = Math.max(...instances.map((instance) => instance.readMemory()));
  return { ...measured, memory, startMs: Math.max(...instances.map(({ startMs }) => startMs)) };
}

async function measureFunction(
  bench: InstanceBench,
  name: string,
  urls: readonly string[],
): Promise<Throughput & { exact: string }> {
  if (name === "api") return { ...await measureApi(bench, urls), exact: "" };
  if (name === "webhook-dispatch") return await measureDispatch(bench, urls);
  const measured = await measureTrack(bench, urls);
  const exact = [await measureDuplicates(bench, urls), await measureQuota(bench, urls)];
  return { ...measured, exact: exact.join(", ") };
}

function firstRequest({ apiKey }: InstanceBench, name: string): RequestInit {
  const authorization = `Bearer ${apiKey}`;
  if (name === "webhook-dispatch") return { method: "POST", headers: { apikey: dispatchKey } };
  if (name === "api") return { headers: { authorization } };
  const body = JSON.stringify({ external_id: "first", name: "started" });
  return {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body,
  };
}

async function createBench(
  cleanup: AsyncDisposableStack,
  seconds: number,
): Promise<InstanceBench> {
  const databaseUrl = await startDatabase(cleanup);
  const sql = cleanup.adopt(
    postgres(databaseUrl, { max: 4, fetch_types: false, onnotice: () => {} }),
    (sql) => sql.end({ timeout: 5 }),
  );
  await sql`
    insert into public.plans (id, ingest_per_second, ingest_burst, api_per_second, api_burst)
    values ('bench', 10000000, 10000000, 1000000, 1000000), ('small', 50, 50, 1, 1)`;
  const workspaceId = await createWorkspace(sql, { planId: "bench" });
  const scopes = ["track:write", "customers:read"];
  const apiKey = await createApiKey(sql, { workspaceId, scopes });
  const { jwks } = await createTestSessions();
  const environment = describePlatform({ databaseUrl, jwks });
  const receiver = cleanup.use(await startReceiver()).url;
  const secrets = await createSecretBox(environment["SECRETS_ENCRYPTION_KEY"]!);
  for (let n = 0; n < 20; n++) {
    const destination = { workspaceId, eventType: `sent_${n}`, maxConcurrency: 20 };
    await addDestination({ sql, secrets, receiver }, destination);
  }
  return { sql, databaseUrl, workspaceId, apiKey, environment, receiver, seconds };
}

async function listRoutes(
  cleanup: AsyncDisposableStack,
  { sql, databaseUrl: url }: InstanceBench,
): Promise<Route[]> {
  const direct: Route = { name: "direct", environmentOf: () => ({}) };
  if (findOnPath("pgbouncer") === null) return [direct];
  await createLogins(sql);
  const logins = documentedLogins();
  const options = { url, mode: "transaction", size: poolSize, logins } as const;
  const bouncer = cleanup.use(await startPgBouncer(options));
  return [direct, {
    name: "PgBouncer",
    environmentOf: (name) => ({
      SUPABASE_DB_URL: bouncer.urlOf(loginsOfFunctions[name]!),
      DATABASE_POOLER: "transaction",
    }),
  }];
}

function describeRow(
  { name, count, route, measured, one }: {
    name: string;
    count: number;
    route: Route;
    measured: Measured;
    one: number;
  },
): string[] {
  const { perSecond, p99, connections, memory, startMs, exact } = measured;
  return [
    name,
    String(count),
    route.name,
    formatCount(perSecond),
    (perSecond / one).toFixed(2),
    Number.isNaN(p99) ? "" : p99.toFixed(0),
    String(connections),
    memory.toFixed(0),
    startMs.toFixed(0),
    exact,
  ];
}
