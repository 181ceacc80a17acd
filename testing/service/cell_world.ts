import { randomBytes } from "node:crypto";
import { firstOf } from "../../supabase/functions/_shared/config/cells.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createDispatcher } from "../../supabase/functions/webhook-dispatch/dispatcher.ts";
import {
  type CellConnection,
  connectToCells,
  disconnectCells,
} from "../../tools/cells/cell_connections.ts";
import { type MoveReport, type MoveStep, moveWorkspace } from "../../tools/cells/move_workspace.ts";
import { createApiKey, createWorkspace } from "../data/factories.ts";
import { type OwnServer, startOwnServer } from "../postgres/own_server.ts";
import { startTrack, type TrackInstance } from "./app.ts";
import { addDestination, connectDispatch } from "./dispatch_world.ts";

const wakeMs = 100;
const tasksMs = 500;

const headerName = "Authorization";
const headerValue = "Bearer of-the-destination";

/** A workspace with a key and a destination, in the first of several cells. */
export interface CellWorld extends AsyncDisposable {
  /** The servers of the cells. */
  servers: ReadonlyMap<string, OwnServer>;
  cells: ReadonlyMap<string, CellConnection>;
  workspaceId: string;
  key: string;
  track: TrackInstance;
  /** Number of times that the destination has got each event, by the id of the event. */
  got: ReadonlyMap<string, number>;
  /** Another instance of `track`, with empty caches. */
  startTrack(key?: string): TrackInstance;
  move(
    to: string,
    onStep?: (step: MoveStep) => void | Promise<void>,
    options?: { outageMs?: number },
  ): Promise<MoveReport>;
  /** The tables with rows of the workspace in a cell. */
  tablesWithRows(cell: string): Promise<string[]>;
  /** Resolves when the destination has got all these events. */
  delivered(eventIds: readonly string[]): Promise<void>;
}

/** Starts a server per cell, one instance of `track`, and a dispatcher of all cells. */
export async function createCellWorld(ids: readonly string[] = ["00", "01"]): Promise<CellWorld> {
  await using stack = new AsyncDisposableStack();
  const started = await Promise.all(ids.map(() => startOwnServer({ isLogical: true })));
  const servers = new Map(ids.map((id, i) => [id, stack.use(started[i]!)]));
  for (const [id, { db }] of servers) await db.sql`select ops.name_cell(${id})`;
  const urls = new Map([...servers].map(([id, { db }]) => [id, db.url]));
  const cells = connectToCells(urls);
  stack.defer(() => disconnectCells(cells));

  const { sql } = firstOf(servers).db;
  const workspaceId = await createWorkspace(sql);
  const key = await createApiKey(sql, { workspaceId });
  const secrets = await createSecretBox(randomBytes(32).toString("base64"));
  const receiver = stack.use(startReceiver());
  await addDestination({ sql, secrets, clock: { now: new Date() } }, {
    workspaceId,
    url: receiver.url,
    headers: { [headerName]: headerValue },
  });
  stack.use(startDispatchers([...urls.values()], secrets));
  stack.use(startSchedules([...servers.values()]));
  const otherCells = new Map([...urls].slice(1));
  const startInstance = (own = key) => startTrack({ url: firstOf(urls), key: own, otherCells });
  const track = stack.use(startInstance());
  const kept = stack.move();
  return {
    servers,
    cells,
    workspaceId,
    key,
    track,
    got: receiver.got,
    startTrack: (own) => kept.use(startInstance(own)),
    move: (to, onStep = () => {}, options) =>
      moveWorkspace({ cells, workspaceId, to, onStep, settleMs: 6_000, ...options }),
    tablesWithRows: (cell) => listTablesWithRows(cells.get(cell)!, workspaceId),
    delivered: (eventIds) => receiver.received(eventIds),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function listTablesWithRows(
  { sql }: CellConnection,
  workspaceId: string,
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select m.name::text as name from private.moved_tables() as m
    where private.has_rows(m.name, m.workspace_column, ${workspaceId})
  `;
  return rows.map(({ name }) => name);
}

/** Wakes a dispatcher per cell often, as the schedule of each cell does. */
function startDispatchers(
  urls: readonly string[],
  secrets: Awaited<ReturnType<typeof createSecretBox>>,
): AsyncDisposable {
  const fetch = createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") });
  const log = createLog({ name: "webhook-dispatch", write: () => {} });
  const shared = { fetch, secrets, log, now: () => new Date(), random: Math.random };
  const pools = urls.map(connectDispatch);
  const dispatchers = pools.map((sql) =>
    createDispatcher({ ...shared, sql, limits: { lingerMs: 0, horizonMs: 0 } })
  );
  const timer = setInterval(() => {
    for (const dispatcher of dispatchers) void dispatcher.wake();
  }, wakeMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop(0)));
      await fetch.close();
      await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
    },
  };
}

/** Runs the frequent tasks of each cell often; a server may be down. */
function startSchedules(servers: readonly OwnServer[]): Disposable {
  const timer = setInterval(() => {
    for (const { db } of servers) db.sql`select private.run_frequent_tasks()`.catch(() => {});
  }, tasksMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Answers 200, and counts the events that it gets. */
function startReceiver() {
  const got = new Map<string, number>();
  let waiting: { wanted: readonly string[]; resolve: () => void }[] = [];
  const settle = () => {
    const isDone = ({ wanted }: { wanted: readonly string[] }) => wanted.every((id) => got.has(id));
    for (const each of waiting.filter(isDone)) each.resolve();
    waiting = waiting.filter((each) => !isDone(each));
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (r) => {
    const { payload } = await r.json();
    // Without its headers, a destination refuses what it gets.
    if (r.headers.get(headerName) !== headerValue) return new Response(null, { status: 401 });
    const id = payload?.event_id;
    if (typeof id === "string") got.set(id, (got.get(id) ?? 0) + 1);
    settle();
    return new Response();
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    got,
    received: (wanted: readonly string[]) =>
      new Promise<void>((resolve) => {
        waiting.push({ wanted, resolve });
        settle();
      }),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
