import type postgres from "postgres";
import { connectDatabase, type Sql } from "../../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../../supabase/functions/_shared/log/log.ts";
import { createTrackApp } from "../../../supabase/functions/track/app.ts";
import { createApiKey } from "../../../testing/data/factories.ts";
import type { TestDatabase } from "../../../testing/postgres/database.ts";
import { explainStatements, readNotice } from "../../../testing/query_plans/query_plan.ts";
import { type ApiWorld, createApiWorld } from "../../../testing/service/api_world.ts";

/** `time`: as in production. `buffers`: each statement reports the pages that it touched. */
export type Measure = "time" | "buffers";

/** The functions of the service in this process, on one database. */
export interface MeasuredWorld extends AsyncDisposable {
  db: TestDatabase;
  /** Superuser, measured as well. */
  sql: Sql;
  /** Role of the dispatcher. */
  dispatch: Sql;
  workspaceId: string;
  /** Sends `POST /track`; throws unless everything was stored. */
  track(body: object): Promise<void>;
  /** Calls the api as an admin; throws on an error. */
  api(path: string, method?: string): Promise<{ data: { id: string }[] }>;
  /** Milliseconds, or pages of the buffer cache that the statements of `work` touched. */
  measure(work: () => Promise<unknown>): Promise<number>;
}

/** Connects the functions to a database whose workspace exists. */
export async function createMeasuredWorld(
  { db, workspaceId, measure }: { db: TestDatabase; workspaceId: string; measure: Measure },
): Promise<MeasuredWorld> {
  await using cleanup = new AsyncDisposableStack();
  if (measure === "buffers") {
    await explainStatements(db, "auto", { nested: false });
    cleanup.defer(() => resetDatabase(db));
  }
  let pages = 0;
  const onNotice = (notice: postgres.Notice) => {
    for (const { Plan: plan } of readNotice(notice)) {
      pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    }
  };
  const connect = (role?: string) =>
    cleanup.adopt(
      connectDatabase({
        url: db.url,
        applicationName: "bench",
        ...(role !== undefined && { role }),
        max: 1,
        statementTimeoutMs: 600_000,
        onNotice,
      }),
      (sql) => sql.end({ timeout: 5 }),
    );
  const world = cleanup.use(await createApiWorld({ db, onNotice }));
  const token = await world.signInAs("admin", workspaceId);
  const track = await createTrack(connect("signalpost_ingest"), { db, workspaceId });
  const [sql, dispatch] = [connect(), connect("signalpost_dispatch")];
  const kept = cleanup.move();
  return {
    db,
    workspaceId,
    sql,
    dispatch,
    track,
    api: (path, method = "GET") => callApi(world, { path, method, token, workspaceId }),
    async measure(work) {
      pages = 0;
      const startedAt = performance.now();
      await work();
      return measure === "time" ? performance.now() - startedAt : pages;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function createTrack(
  sql: Sql,
  { db, workspaceId }: { db: TestDatabase; workspaceId: string },
): Promise<MeasuredWorld["track"]> {
  const key = await createApiKey(db.sql, { workspaceId });
  const app = createTrackApp({
    sql,
    now: () => new Date(),
    log: createLog({ name: "track", write: () => {} }),
    supabaseUrl: "https://bench.example",
  });
  return async (body) => {
    const text = JSON.stringify(body);
    const response = await app.request("/track", {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": String(new TextEncoder().encode(text).byteLength),
      },
      body: text,
    });
    const { ok, error } = await response.json();
    if (!ok) throw new Error(`Cannot measure: track responded with ${response.status} ${error}`);
  };
}

async function callApi(
  world: ApiWorld,
  request: { path: string; method: string; token: string; workspaceId: string },
) {
  const { status, body } = await world.send(request);
  if (status >= 300) {
    throw new Error(
      `Cannot measure: ${request.path} responded with ${status} ${JSON.stringify(body)}`,
    );
  }
  return body;
}

async function resetDatabase({ sql }: TestDatabase): Promise<void> {
  const [row] = await sql`select format('alter database %I reset all', current_database()) as text`;
  await sql.unsafe(row!.text);
}
