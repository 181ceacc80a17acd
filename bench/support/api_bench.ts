import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";
import { startTestStack } from "../../testing/service/stack.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import type { ApiLoad, ApiLoadResult } from "./api_load.ts";
import { addDestination, type BenchDestination } from "./dispatch_bench.ts";
import type { Arrival } from "./dispatch_receiver.ts";
import { runScript, startReceiver } from "./processes.ts";

/** The whole service as `deno task start` runs it, with a receiver of its webhooks. */
export interface ApiBench extends AsyncDisposable {
  sql: postgres.Sql;
  workspaceId: string;
  /** Address and key of `POST /track`. */
  track: Pick<ApiLoad, "url" | "apiKey">;
  /** Calls the api with the same key; fails unless it succeeds. */
  api(method: string, path: string, body?: unknown): Promise<unknown>;
  addDestination(destination: Omit<BenchDestination, "workspaceId">): Promise<string>;
  /** Makes calls and waits until their events have arrived, or nothing more comes. */
  measure(load: Omit<ApiLoad, "url" | "apiKey">): Promise<Delivered>;
}

/** Calls that were answered, and the arrivals of their events. */
export interface Delivered extends ApiLoadResult {
  arrivals: Arrival[];
}

const settleMs = 20_000;
const pollMs = 500;

/** Starts the service, on its own Postgres or on a given one. */
export async function createApiBench(databaseUrl = ""): Promise<ApiBench> {
  await using cleanup = new AsyncDisposableStack();
  const encryptionKey = randomBytes(32).toString("base64");
  const stack = cleanup.use(
    await startTestStack({
      env: { SECRETS_ENCRYPTION_KEY: encryptionKey, SUPABASE_DB_URL: databaseUrl },
    }),
  );
  const { info } = stack;
  const sql = cleanup.adopt(
    postgres(info.db_url, { max: 2, fetch_types: false, onnotice: () => {} }),
    (sql) => sql.end({ timeout: 5 }),
  );
  await raiseQuota(sql, info.workspace_id);
  const secrets = await createSecretBox(encryptionKey);
  const { url: receiver } = cleanup.use(await startReceiver());
  const track = { url: `${info.base_url}/functions/v1/track`, apiKey: info.api_key };
  const takeArrivals = async (): Promise<Arrival[]> =>
    await (await fetch(`${receiver}/arrivals`)).json();
  const kept = cleanup.move();
  return {
    sql,
    workspaceId: info.workspace_id,
    track,
    api: (method, path, body) => callApi(info, { method, path, body }),
    addDestination: (destination) =>
      addDestination({ sql, secrets, receiver }, {
        ...destination,
        workspaceId: info.workspace_id,
      }),
    async measure(load) {
      const result = await runScript<ApiLoadResult>("api_load.ts", { ...track, ...load });
      const ids = new Set(result.answered.map(([id]) => id));
      const arrivals: Arrival[] = [];
      const until = performance.now() + settleMs;
      while (arrivals.length < ids.size && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, pollMs));
        arrivals.push(...(await takeArrivals()).filter(([id]) => ids.has(id)));
      }
      return { ...result, arrivals };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function callApi(
  { base_url, api_key }: StackInfo,
  { method, path, body }: { method: string; path: string; body: unknown },
): Promise<unknown> {
  const response = await fetch(`${base_url}/functions/v1/api${path}`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`Cannot measure: ${method} ${path} responded with ${response.status} ${text}`);
  }
  return text === "" ? null : JSON.parse(text);
}

/** The limiter does all of its work, but its quota does not limit the result. */
async function raiseQuota(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.plans (id, ingest_per_second, ingest_burst, api_per_second, api_burst)
    values ('bench', 10000000, 10000000, 1000, 1000)`;
  await sql`update public.workspaces set plan_id = 'bench' where id = ${workspaceId}`;
}

/** Milliseconds from the response to the arrival; 0 where the arrival came first. */
export function latenciesOf({ answered, arrivals }: Delivered): number[] {
  const answeredAt = new Map(answered);
  return arrivals.map(([id, at]) => Math.max(0, at - answeredAt.get(id)!));
}

/** Arrivals per second, from the first response to the last arrival. */
export function rateOf({ answered, arrivals }: Delivered): number {
  const first = answered.reduce((least, [, at]) => Math.min(least, at), Infinity);
  const last = arrivals.reduce((most, [, at]) => Math.max(most, at), first);
  return arrivals.length / (last - first) * 1000;
}
