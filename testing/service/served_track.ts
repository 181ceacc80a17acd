import { findFreePort } from "../../local/postgres/ports.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createTrackApp } from "../../supabase/functions/track/app.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import {
  createApiKey,
  createPlan,
  createWorkspace,
  type PlanOverrides,
} from "../data/factories.ts";

/** Obstacle between the client and the function for one request. */
export type Weather = (
  request: Request,
  respond: () => Promise<Response>,
) => Promise<Response> | Response;

/** The track function behind a real address, as a gateway serves it. */
export interface ServedTrack {
  db: TestDatabase;
  key: string;
  workspaceId: string;
  /** `http://127.0.0.1:<port>`, the same after an outage. */
  baseUrl: string;
  /** Method, path and status of each request, in order of their responses. */
  requests: { method: string; path: string; status: number; retryCount: string | null }[];
  /** Decides what the next requests meet; undefined is fair weather. */
  weather: Weather | undefined;
  /** Closes the port: connections are refused. */
  stop(): Promise<void>;
  start(): void;
  /** Names of the stored events, or their kind, in order. */
  readNames(): Promise<string[]>;
  /** Resolves when so many entries are stored. */
  waitForEntries(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const hostname = "127.0.0.1";
const patienceMs = 30_000;

/** Serves the track function over HTTP, with a workspace and a key. */
export async function serveTrack({ plan }: { plan?: PlanOverrides } = {}): Promise<ServedTrack> {
  const db = await createTestDatabase();
  const planId = await createPlan(db.sql, plan);
  const workspaceId = await createWorkspace(db.sql, { planId });
  const key = await createApiKey(db.sql, { workspaceId });
  const sql = connectDatabase({
    url: db.url,
    role: "signalpost_ingest",
    applicationName: "test-track",
  });
  const log = createLog({ name: "track", write: () => {} });
  const port = findFreePort();
  const baseUrl = `http://${hostname}:${port}`;
  const app = createTrackApp({ sql, now: () => new Date(), log, supabaseUrl: baseUrl });
  let server: Deno.HttpServer<Deno.NetAddr> | undefined;

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const { method } = request;
    const path = url.pathname;
    url.pathname = path.replace(/^\/functions\/v1/, "");
    const respond = () => Promise.resolve(app.fetch(new Request(url, request)));
    const response = await (served.weather ? served.weather(request, respond) : respond());
    const retryCount = request.headers.get("x-retry-count");
    served.requests.push({ method, path, status: response.status, retryCount });
    return response;
  }

  const served: ServedTrack = {
    db,
    key,
    workspaceId,
    baseUrl,
    requests: [],
    weather: undefined,
    async stop() {
      await server?.shutdown();
      server = undefined;
    },
    start() {
      server = Deno.serve({ hostname, port, onListen: () => {} }, handle);
    },
    async readNames() {
      const rows = await db.sql<{ name: string }[]>`
        select coalesce(name, kind) as name from public.events order by received_at, id
      `;
      return rows.map(({ name }) => name);
    },
    async waitForEntries(count) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const names = await served.readNames();
        if (names.length >= count) return;
        if (Date.now() > deadline) throw new Error(`Only ${names.length} of ${count} were stored`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async [Symbol.asyncDispose]() {
      await served.stop();
      await sql.end({ timeout: 1 });
      await db[Symbol.asyncDispose]();
    },
  };
  served.start();
  return served;
}
