import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { signBody } from "../../supabase/functions/_shared/secrets/signing.ts";
import type { ServiceResponse } from "./app.ts";
import { createApiKey, createPlan, createWorkspace } from "../data/factories.ts";
import { type HostedFunction, serve, unpack } from "./hosted_functions.ts";
import { type AcknowledgedLoad, startAcknowledgedLoad } from "../senders/acknowledged_load.ts";
import type { Upload } from "./management_api.ts";
import { type OwnServer, startOwnServer } from "../postgres/own_server.ts";
import { createTestSessions, supabaseUrl, type TestSessions } from "./sessions.ts";

/** The secret key named dispatch. */
export const dispatchKey = "sb_secret_dispatch";
/** Interval at which the database wakes the dispatcher; the platform's cron does it every 10 s. */
const wakeMs = 250;

/** Request to a hosted function. */
export interface Call {
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Every uploaded function on the hosted Deno, a Postgres of their own, and a receiver. */
export interface HostedWorld extends AsyncDisposable {
  postgres: OwnServer;
  functions: Map<string, HostedFunction>;
  /** By a session; everything tracked is sent to the world's receiver. */
  createDestination(): Promise<void>;
  /** By a key. */
  createSource(): Promise<void>;
  track(visitor: string): Promise<ServiceResponse>;
  /** A signed webhook for the source. */
  receiveWebhook(body: { id: string; user: string }): Promise<ServiceResponse>;
  readCustomer(externalId: string): Promise<ServiceResponse>;
  /** A workspace, its owner and a key of it. */
  addTenant(): Promise<Tenant>;
  /** Any call of a function. */
  call(name: string, request: Call): Promise<ServiceResponse>;
  startLoad(): AcknowledgedLoad;
  /** The events among these that are not stored exactly once. */
  findLost(eventIds: readonly string[]): Promise<string[]>;
  /** Resolves when the receiver has got all of these events. */
  delivered(eventIds: readonly string[]): Promise<void>;
  /** Resolves as the work does, and rejects as soon as a function ends. */
  whileServing<Result>(work: Promise<Result>): Promise<Result>;
}

export interface HostedWorldOptions {
  /** Path of another Deno than the hosted one. */
  deno?: string;
  /** The caller's, which outlives the world. @default one of its own */
  server?: OwnServer;
  /** Set over what the platform sets, for each function. */
  environment?: (name: string) => Record<string, string>;
}

/** Starts uploaded functions on the platform's version of Deno, with a database. */
export async function createHostedWorld(
  uploads: Map<string, Upload>,
  { deno, server: given, environment: change = () => ({}) }: HostedWorldOptions = {},
): Promise<HostedWorld> {
  await using cleanup = new AsyncDisposableStack();
  const server = given ?? cleanup.use(await startOwnServer());
  const { sql, url: databaseUrl } = server.db;
  const sessions = await createTestSessions();
  const environment = describePlatform({ databaseUrl, jwks: sessions.jwks });
  const functions = new Map<string, HostedFunction>();
  for (const [name, upload] of uploads) {
    const unpacked = cleanup.use(await unpack(upload));
    const env = { ...environment, ...change(name) };
    functions.set(name, cleanup.use(await serve(unpacked, { env, deno })));
  }
  const receiver = cleanup.use(startReceiver());
  const addTenant = () => createTenant(sql, sessions);
  const tenant = await addTenant();
  const call = (name: string, request: Call) => send(functions.get(name)!, { name, ...request });
  const wake = () => call("webhook-dispatch", { path: "", headers: { apikey: dispatchKey } });
  const ticking = setInterval(() => void wake().catch(() => {}), wakeMs);
  cleanup.defer(() => clearInterval(ticking));
  const track = (entry: object) => call("track", { path: "", token: tenant.key, body: entry });
  let source: { id: string; secret: string };
  const kept = cleanup.move();
  return {
    postgres: server,
    functions,
    async createDestination() {
      const response = await call("api", {
        path: "/destinations",
        token: tenant.token,
        headers: { "x-workspace-id": tenant.workspaceId },
        body: { name: "Test", url: receiver.url, event_types: ["viewed"] },
      });
      assert.equal(response.status, 201, JSON.stringify(response.body));
    },
    async createSource() {
      const mapping = { name: { value: "paid" }, external_id: "/user" };
      const body = { name: "Test", scheme: "service", mapping };
      const response = await call("api", { path: "/sources", token: tenant.key, body });
      assert.equal(response.status, 201, JSON.stringify(response.body));
      source = response.body;
    },
    track: (visitor) => track({ anon_id: visitor, name: "viewed" }),
    receiveWebhook(body) {
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      const headers = { "x-service-signature": signBody(source.secret, bytes) };
      return call("inbound", { path: `/${source.id}`, headers, body });
    },
    readCustomer: (externalId) =>
      call("api", { path: `/customers?external_id=${externalId}`, token: tenant.key }),
    addTenant,
    call,
    startLoad: () => startAcknowledgedLoad(track),
    findLost: (eventIds) => findLost(sql, eventIds),
    delivered: (eventIds) => receiver.received(eventIds),
    whileServing: (work) => Promise.race([work, ...[...functions.values()].map((f) => f.died)]),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns the variables that the platform and the operator set for a function. */
export function describePlatform(
  { databaseUrl, jwks }: { databaseUrl: string; jwks: string },
): Record<string, string> {
  return {
    SUPABASE_URL: supabaseUrl,
    SUPABASE_DB_URL: databaseUrl,
    SUPABASE_JWKS: jwks,
    SUPABASE_SECRET_KEYS: JSON.stringify({ dispatch: dispatchKey }),
    SECRETS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DESTINATION_ALLOWED_CIDRS: "127.0.0.0/8",
  };
}

/** Workspace with an owner and a key. */
export interface Tenant {
  workspaceId: string;
  userId: string;
  key: string;
  /** Of the owner's session. */
  token: string;
}

async function createTenant(sql: postgres.Sql, sessions: TestSessions): Promise<Tenant> {
  const planId = await createPlan(sql, { apiPerSecond: 1_000, apiBurst: 10_000 });
  const workspaceId = await createWorkspace(sql, { planId });
  const userId = crypto.randomUUID();
  await sql`
    insert into auth.users (id, email, email_confirmed_at)
    values (${userId}, ${`${userId}@example.com`}, now())`;
  await sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${workspaceId}, ${userId}, 'owner')`;
  const scopes = ["track:write", "customers:read", "sources:write"];
  return {
    workspaceId,
    userId,
    key: await createApiKey(sql, { workspaceId, scopes }),
    token: await sessions.sign(userId),
  };
}

async function send(
  { url }: HostedFunction,
  { name, path, token, headers = {}, body }: Call & { name: string },
): Promise<ServiceResponse> {
  const isRead = body === undefined && name === "api";
  const response = await fetch(`${url}/${name}${path}`, {
    method: isRead ? "GET" : "POST",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function findLost(sql: postgres.Sql, eventIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select wanted.id
    from jsonb_array_elements_text(${sql.json([...eventIds])}) as wanted (id)
    where (select count(*) from public.events as e where e.id = wanted.id::uuid) <> 1`;
  return rows.map(({ id }) => id);
}

/** Responds with 200, and remembers the events that it got. */
function startReceiver() {
  const got = new Set<string>();
  let waiting: { wanted: readonly string[]; resolve: () => void }[] = [];
  const settle = () => {
    const isDone = ({ wanted }: { wanted: readonly string[] }) => wanted.every((id) => got.has(id));
    for (const each of waiting.filter(isDone)) each.resolve();
    waiting = waiting.filter((each) => !isDone(each));
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (r) => {
    const { payload } = await r.json();
    got.add(payload.event_id);
    settle();
    return new Response();
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    received: (wanted: readonly string[]) =>
      new Promise<void>((resolve) => {
        waiting.push({ wanted, resolve });
        settle();
      }),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
