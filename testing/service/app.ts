import type { Cells } from "../../supabase/functions/_shared/config/cells.ts";
import {
  connectCells,
  listCells,
  type Pooler,
} from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createTrackApp, type TrackDeps } from "../../supabase/functions/track/app.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { createApiKey, createWorkspace } from "../data/factories.ts";

/** A response, read whole. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- bodies of all kinds are asserted field by field
  body: any;
}

export interface SendOptions {
  method?: string;
  path?: string;
  /** Merged over `Authorization` and `Content-Type`; undefined removes one. */
  headers?: Record<string, string | undefined>;
}

/** One instance of the track function on a database of the test's own. */
export interface TrackInstance {
  /** Lines the function logged. */
  logged: string[];
  /** Sends a body as JSON, or as it is when it is text, bytes or a stream. */
  send(body?: unknown, options?: SendOptions): Promise<ServiceResponse>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface InstanceOptions {
  url: string;
  key: string;
  now?: () => Date;
  pooler?: Pooler;
  /** @default the function's own */
  answerTimeoutMs?: number;
  /** Addresses of the databases of other cells. */
  otherCells?: Cells<string>;
  /** Runs work later. @default at once */
  schedule?: TrackDeps["schedule"];
}

/** Starts a function instance, as separate from any other as two workers are. */
export function startTrack(
  { url, key, now = () => new Date(), pooler, answerTimeoutMs, otherCells, schedule }:
    InstanceOptions,
): TrackInstance {
  const logged: string[] = [];
  const databases = connectCells(
    { SUPABASE_DB_URL: url, CELL_DATABASE_URLS: otherCells, DATABASE_POOLER: pooler },
    {
      role: "signalpost_ingest",
      applicationName: "test-track",
      ...answerTimeoutMs !== undefined && { answerTimeoutMs },
    },
  );
  const log = createLog({ name: "track", write: (line) => logged.push(line) });
  const supabaseUrl = "https://x.supabase.co";
  const app = createTrackApp({ ...databases, now, log, supabaseUrl, schedule });
  return {
    logged,
    async send(body, options = {}) {
      const { method = "POST", path = "/track", headers = {} } = options;
      const content = bodyOf(body);
      const init = {
        method,
        headers: headersOf(key, { ...lengthOf(content), ...headers }),
        body: content,
      };
      const response = await app.request(path, init);
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const sql of listCells(databases).values()) await sql.end({ timeout: 1 });
    },
  };
}

/** A database with a workspace and a key, and one instance of the function on it. */
export interface TrackWorld extends TrackInstance {
  db: TestDatabase;
  key: string;
  workspaceId: string;
  /** Another instance on the same database. */
  startInstance(overrides?: Partial<InstanceOptions>): TrackInstance;
}

export interface WorldOverrides {
  now?: () => Date;
  scopes?: readonly string[];
  /** Makes the plan of the workspace. @default plan `scale` */
  plan?: (db: TestDatabase) => Promise<string>;
}

/** Creates a workspace with a key, and the track function in front of it. */
export async function createTrackWorld(overrides: WorldOverrides = {}): Promise<TrackWorld> {
  const { now, scopes, plan } = overrides;
  const db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql, plan ? { planId: await plan(db) } : {});
  const key = await createApiKey(db.sql, { workspaceId, ...(scopes && { scopes }) });
  const defaults = { url: db.url, key, ...(now && { now }) };
  const instances: TrackInstance[] = [];
  const startInstance = (own: Partial<InstanceOptions> = {}) => {
    const instance = startTrack({ ...defaults, ...own });
    instances.push(instance);
    return instance;
  };
  return {
    ...startInstance(),
    db,
    key,
    workspaceId,
    startInstance,
    async [Symbol.asyncDispose]() {
      for (const instance of instances) await instance[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

function headersOf(key: string, headers: Record<string, string | undefined>): Headers {
  const all = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
  return new Headers(
    Object.entries(all).filter((entry): entry is [string, string] => {
      return entry[1] !== undefined;
    }),
  );
}

/** As every client sends it; a stream has none. */
function lengthOf(content: BodyInit | null): Record<string, string> {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) return {};
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { "content-length": String(bytes.byteLength) };
}

function bodyOf(body: unknown): BodyInit | null {
  if (body === undefined) return null;
  if (typeof body === "string" || body instanceof ReadableStream) return body;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  return JSON.stringify(body);
}
