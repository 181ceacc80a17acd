import type postgres from "postgres";
import { ingestTexts } from "../../supabase/functions/_shared/entries/ingest.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import { dispatchKey } from "../../testing/service/hosted_world.ts";
import type { Arrival } from "./dispatch_receiver.ts";
import type { LoadResult } from "./load.ts";
import { runScript } from "./processes.ts";

/** A database with a workspace, for instances that are started later. */
export interface InstanceBench {
  /** The superuser. */
  sql: postgres.Sql;
  databaseUrl: string;
  workspaceId: string;
  /** May track and read. */
  apiKey: string;
  environment: Record<string, string>;
  receiver: string;
  seconds: number;
}

export interface Throughput {
  perSecond: number;
  p99: number;
  /** Most connections of the functions that the database had at once. */
  connections: number;
}

const connections = 64;
const warmUpSeconds = 2;
const sampleMs = 100;
const smallQuota = 50;
const keys = 300;
const messages = 5_000;
const patienceMs = 60_000;

/** Single calls with keys, shared out to all instances. */
export async function measureTrack(
  bench: InstanceBench,
  urls: readonly string[],
): Promise<Throughput> {
  return await measureLoad(bench, { urls, path: "", size: 1 });
}

/** Pages of the newest customers, shared out to all instances. */
export async function measureApi(
  bench: InstanceBench,
  urls: readonly string[],
): Promise<Throughput> {
  return await measureLoad(bench, { urls, path: "/customers", size: 0 });
}

interface Shared {
  urls: readonly string[];
  path: string;
  size: number;
}

async function measureLoad(
  bench: InstanceBench,
  { urls, path, size }: Shared,
): Promise<Throughput> {
  const load = (seconds: number) =>
    Promise.all(urls.map((url) =>
      runScript<LoadResult>("load.ts", {
        url: url + path,
        apiKey: bench.apiKey,
        connections: connections / urls.length,
        seconds,
        size,
        entries: { hasKeys: true, customers: 1_000, run: crypto.randomUUID().slice(0, 8) },
      })
    ));
  await load(warmUpSeconds);
  const [results, most] = await countConnections(bench, load(bench.seconds));
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`Cannot trust the run: ${failed} requests failed`);
  return {
    perSecond: results.reduce((sum, { requests, seconds }) => sum + requests / seconds, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    connections: most,
  };
}

/** The functions run as four roles, or as logins of theirs behind a pooler. */
async function countConnections<Result>(
  { sql }: InstanceBench,
  work: Promise<Result>,
): Promise<[Result, number]> {
  let most = 0;
  const sampling = setInterval(() => {
    void sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database()
        and (application_name like 'signalpost-%' or usename like '%\\_login')`
      .then(([row]) => most = Math.max(most, row!.count), () => {});
  }, sampleMs);
  try {
    return [await work, most];
  } finally {
    clearInterval(sampling);
  }
}

/** Sends each key to every instance at once: one event each, and every response names it. */
export async function measureDuplicates(
  bench: InstanceBench,
  urls: readonly string[],
): Promise<string> {
  const run = crypto.randomUUID();
  const responses = await Promise.all(
    Array.from({ length: keys }, (_, n) =>
      Promise.all(
        [...urls, ...urls].map((url) => send(url, bench.apiKey, `${run}-${n}`)),
      )),
  );
  const differing = responses.filter((ids) => new Set(ids).size !== 1).length;
  const ids = [...new Set(responses.flat())];
  const [row] = await bench.sql`
    select count(*)::integer as stored from public.events
    where workspace_id = ${bench.workspaceId} and external_id like ${`${run}-%`}`;
  if (differing > 0 || ids.length !== keys || row!.stored !== keys) {
    throw new Error(
      `Deduplication is not exact: ${keys} keys, ${
        row!.stored
      } events, ${differing} with several ids`,
    );
  }
  return `${keys} keys = ${row!.stored} events`;
}

async function send(url: string, apiKey: string, key: string): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ external_id: key, name: "viewed", idempotency_key: key }),
  });
  const { ok, event_id, error } = await response.json();
  if (!ok) throw new Error(`Cannot measure: ${response.status} ${error}`);
  return event_id;
}

/** Sends far more than a small quota allows through all instances. */
export async function measureQuota(bench: InstanceBench, urls: readonly string[]): Promise<string> {
  const { sql, seconds } = bench;
  const workspaceId = await createWorkspace(sql, { planId: "small" });
  const apiKey = await createApiKey(sql, { workspaceId });
  const startedAt = performance.now();
  await Promise.all(urls.map((url) =>
    runScript<LoadResult>("load.ts", {
      url,
      apiKey,
      connections: 8,
      seconds,
      size: 1,
      entries: { hasKeys: false, customers: 10, run: "quota" },
    })
  ));
  const elapsed = (performance.now() - startedAt) / 1000;
  const [row] = await sql`
    select count(*)::integer as stored from public.events where workspace_id = ${workspaceId}`;
  // The bucket is full at first; the load starts a little after the clock.
  const most = smallQuota * (1 + elapsed);
  const least = smallQuota * (1 + seconds) * 0.8;
  if (row!.stored > most || row!.stored < least) {
    throw new Error(
      `The quota is not exact: ${row!.stored} of ${least.toFixed(0)} to ${most.toFixed(0)}`,
    );
  }
  return `${row!.stored} stored of a quota of ${most.toFixed(0)}`;
}

/** Queues messages and wakes every dispatcher until all have arrived. */
export async function measureDispatch(
  bench: InstanceBench,
  urls: readonly string[],
): Promise<Throughput & { exact: string }> {
  const takeArrivals = async (): Promise<Arrival[]> => {
    return await (await fetch(`${bench.receiver}/arrivals`)).json();
  };
  await takeArrivals();
  for (let n = 0; n < messages; n += 500) {
    const entries = Array.from({ length: 500 }, (_, i) =>
      JSON.stringify({
        workspace_id: bench.workspaceId,
        kind: "event",
        external_id: `customer-${i}`,
        name: `sent_${(n + i) % 20}`,
      }));
    await ingestTexts(bench.sql, entries);
  }
  const startedAt = performance.now();
  const arrivals: Arrival[] = [];
  const arrived = async () => {
    const wake = () =>
      Promise.all(urls.map(async (url) => {
        const response = await fetch(url, { method: "POST", headers: { apikey: dispatchKey } });
        await response.body?.cancel();
      }));
    await wake();
    while (arrivals.length < messages) {
      if (performance.now() - startedAt > patienceMs) break;
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
      arrivals.push(...await takeArrivals());
    }
    // A dispatcher that ends before it has recorded its results keeps its lanes from the next one.
    while (await countInFlight(bench) > 0) {
      if (performance.now() - startedAt > patienceMs) break;
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  };
  const [, most] = await countConnections(bench, arrived());
  const last = Math.max(...arrivals.map(([, at]) => at)) - performance.timeOrigin;
  const different = new Set(arrivals.map(([id]) => id)).size;
  if (different !== messages || arrivals.length !== messages) {
    throw new Error(
      `Deliveries are not exact: ${messages} messages, ${different} arrived, ${arrivals.length} requests`,
    );
  }
  return {
    perSecond: messages / ((last - startedAt) / 1000),
    p99: NaN,
    connections: most,
    exact: `${messages} messages = ${arrivals.length} requests`,
  };
}

async function countInFlight({ sql }: InstanceBench): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select coalesce(sum(l.in_flight), 0)::integer as rows from private.lanes as l`;
  return row!.rows;
}
