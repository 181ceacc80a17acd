import { startBackground } from "./background.ts";
import { locateData, openDataDir, writeJson } from "./data_dir.ts";
import { type StackDatabase, startDatabase, useDatabase } from "./database.ts";
import { prepareCells } from "./prepare_cells.ts";
import { clearDataDir } from "./clear_data_dir.ts";
import {
  callWorker,
  loadFunctions,
  provideEdgeRuntime,
  setFunctionEnvironment,
} from "./functions.ts";
import { applyMigrations } from "./migrate.ts";
import type { StackOptions } from "./options.ts";
import { listenPatiently } from "./postgres/ports.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createMailStore } from "./inbox/mail_store.ts";
import { startSmtpInbox } from "./inbox/smtp_inbox.ts";
import { createRouter } from "./router.ts";
import { startSchedule, workers } from "./schedule.ts";
import { seedDemo, type SeededState } from "./seed.ts";
import { loadState, saveState, type StackState } from "./state.ts";
import { createSupabaseApi } from "./platform/supabase_api.ts";

/** Content of `local.json`, for the demo, the tests and the benchmarks. */
export interface StackInfo {
  base_url: string;
  db_url: string;
  publishable_key: string;
  secret_key: string;
  dispatch_key: string;
  workspace_id: string;
  api_key: string;
  user: { email: string; password: string };
  /** Only with several cells: the addresses of the further databases, by cell. */
  cell_db_urls?: Record<string, string>;
}

export interface Stack extends AsyncDisposable {
  info: StackInfo;
  /** Directory of the data, wherever it had to go. */
  data: string;
  /** Resolves when the database ended unexpectedly. */
  exited: Promise<void>;
}

export interface StackContext {
  /** Told what is being done, a line each. */
  say: (line: string) => void;
  /** Ends a start between two steps. */
  signal: AbortSignal;
}

/** Time for running requests to finish when the stack stops. */
const shutdownMs = 5_000;

/**
 * Brings everything up on one address; disposing of it stops everything, last things first.
 *
 * @throws Error with one clear sentence; nothing is left running.
 */
export async function startStack(options: StackOptions, context: StackContext): Promise<Stack> {
  await using cleanup = new AsyncDisposableStack();
  const { port, open, close } = await openPort(options.port, context.signal);
  cleanup.defer(close);
  const baseUrl = `http://127.0.0.1:${port}`;
  const dir = cleanup.use(openDataDir(options.dataDir));
  if (options.fresh) await clearDataDir(dir);
  const known = await loadState(dir);
  const { cells = 1 } = options;

  context.say(options.databaseUrl ? "Connecting to the database" : "Starting Postgres");
  const database = options.databaseUrl
    ? await useDatabase(options.databaseUrl)
    : await startDatabase(
      dir,
      // Behind the last port there is 0, which is any free one.
      {
        password: known.database_password,
        preferredPort: (port + 1) % 65_536,
        isLogical: cells > 1,
      },
    );
  cleanup.defer(() => database.stop());
  context.signal.throwIfAborted();

  const { handler, state, cellUrls } = await startServices(
    { baseUrl, database, cells, state: known },
    { ...context, cleanup },
  );
  context.signal.throwIfAborted();

  open(handler);
  // Before everything that answers its requests.
  cleanup.defer(close);
  const info = describeStack({ baseUrl, database, cellUrls, state });
  saveState(dir, state);
  writeJson(dir, "local.json", info);
  const kept = cleanup.move();
  return {
    info,
    data: options.databaseUrl ? dir.path : locateData(dir),
    exited: database.exited,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Services {
  baseUrl: string;
  database: StackDatabase;
  state: StackState;
}

interface StartedServices {
  handler: Deno.ServeHandler;
  state: SeededState;
  cellUrls: ReadonlyMap<string, string>;
}

async function startServices(
  { baseUrl, database, cells, state }: Services & { cells: number },
  { say, cleanup }: StackContext & { cleanup: AsyncDisposableStack },
): Promise<StartedServices> {
  const databaseUrl = database.url;
  const store = createMailStore();
  // Behind the service's port and the database's.
  const smtp = cleanup.use(
    await startSmtpInbox(store, (Number(new URL(baseUrl).port) + 2) % 65_536),
  );
  const api = await createSupabaseApi({ databaseUrl, baseUrl, state, say, smtpPort: smtp.port });
  cleanup.defer(() => api.close());
  const applied = await applyMigrations(databaseUrl);
  if (applied.length > 0) say(`Applied ${applied.length} migrations`);
  await api.open();
  const seeded = await seedDemo({ databaseUrl, baseUrl, api, state });
  const cellUrls = await prepareCells(databaseUrl, cells);
  setFunctionEnvironment({
    baseUrl,
    databaseUrl,
    cellUrls,
    jwks: api.jwks,
    smtpPort: smtp.port,
    state: seeded,
  });
  const runtime = provideEdgeRuntime();
  cleanup.defer(() => waitBriefly(runtime.end()));
  const background = await startBackground(workers.map(({ name }) => name));
  cleanup.defer(() => waitBriefly(background.end()));
  const isFront = (name: string) => !background.functions.has(name);
  const functions = new Map([...background.functions, ...await loadFunctions(isFront)]);
  const wake = (name: string) => callWorker(functions, { name, state: seeded });
  for (const url of [databaseUrl, ...cellUrls.values()]) {
    cleanup.use(await startSchedule({ databaseUrl: url, wake }));
  }
  const handler = createRouter({
    api,
    functions,
    publishableKey: seeded.publishable_key,
    inbox: createInbox({ store, smtpPort: smtp.port }),
  });
  return { handler, state: seeded, cellUrls };
}

interface Port {
  port: number;
  /** Lets requests through to the service. */
  open(handler: Deno.ServeHandler): void;
  /** Waits for running requests, but not for long. Can be called again. */
  close(): Promise<void>;
}

/**
 * Listens before anything is started, so that nobody else gets the port meanwhile. Until the service
 * is there, requests get 503.
 */
async function openPort(wanted: number, signal: AbortSignal): Promise<Port> {
  let current: Deno.ServeHandler = () =>
    new Response("The service is starting\n", { status: 503, headers: { "retry-after": "1" } });
  const handler: Deno.ServeHandler = (request, info) => current(request, info);
  const server = await listen({ port: wanted, handler, signal });
  let closing: Promise<void> | undefined;
  return {
    port: server.addr.port,
    open: (handler) => {
      current = handler;
    },
    close: () => closing ??= waitBriefly(server.shutdown()),
  };
}

async function listen(
  { port, handler, signal }: { port: number; handler: Deno.ServeHandler; signal: AbortSignal },
): Promise<Deno.HttpServer<Deno.NetAddr>> {
  const serve = () => Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handler);
  try {
    return await listenPatiently(serve, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Deno.errors.AddrInUse
      ? "it is in use, choose another with --port"
      : cause instanceof Error
      ? cause.message
      : String(cause);
    throw new Error(`Cannot listen on port ${port}: ${reason}`, { cause });
  }
}

async function waitBriefly(end: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => timer = setTimeout(resolve, shutdownMs));
  await Promise.race([end, timeout]);
  clearTimeout(timer);
}

function describeStack(
  { baseUrl, database, cellUrls, state }: Services & Omit<StartedServices, "handler">,
): StackInfo {
  return {
    base_url: baseUrl,
    db_url: database.url,
    publishable_key: state.publishable_key,
    secret_key: state.secret_key,
    dispatch_key: state.dispatch_key,
    workspace_id: state.workspace_id,
    api_key: state.api_key,
    user: state.user,
    ...cellUrls.size > 0 && { cell_db_urls: Object.fromEntries(cellUrls) },
  };
}
