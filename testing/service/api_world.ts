import type postgres from "postgres";
import { type ApiDeps, createApiApp } from "../../supabase/functions/api/app.ts";
import type { Scope } from "../../supabase/functions/_shared/access/auth.ts";
import type { Role } from "../../supabase/functions/api/contract/roles.ts";
import type { Cells } from "../../supabase/functions/_shared/config/cells.ts";
import {
  connectCells,
  listCells,
  type Pooler,
} from "../../supabase/functions/_shared/db/connect.ts";
import { createSenderTester } from "../../supabase/functions/api/kernel/sender_tester.ts";
import type { TextLookup } from "../../supabase/functions/api/kernel/text_lookup.ts";
import { createMjmlCompiler } from "../../supabase/functions/api/kernel/mjml_compiler.ts";
import { createAutomationApp } from "../../supabase/functions/automation/app.ts";
import { createSimulator } from "../../supabase/functions/api/kernel/simulator.ts";
import { createCompileApp } from "../../supabase/functions/compile-mjml/app.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import type { ServiceResponse } from "./app.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { createApiKey, createPlan, createWorkspace } from "../data/factories.ts";
import { createTestSessions, supabaseUrl, type TestSessions } from "./sessions.ts";

/** Request of a test to the api. */
export interface ApiRequest {
  method?: string;
  /** Below `/api`. */
  path: string;
  /** A session token or a key; none when left out. */
  token?: string | undefined;
  workspaceId?: string | undefined;
  body?: unknown;
  /** Bytes instead of `body`, without a media type of their own. */
  raw?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** The api function on a database of the test's own. */
export interface ApiWorld {
  db: TestDatabase;
  /** The superuser. */
  sql: postgres.Sql;
  sessions: TestSessions;
  /** A workspace with a plan that no test exhausts. */
  workspaceId: string;
  send(request: ApiRequest): Promise<ServiceResponse>;
  /** A user, signed up as Supabase Auth does it; returns the id. */
  createUser(email?: string): Promise<string>;
  /** A new user with this role in the workspace (default: the world's), as a session token. */
  signInAs(role: Role, workspaceId?: string): Promise<string>;
  createKey(scopes: readonly Scope[], workspaceId?: string): Promise<string>;
  createWorkspace(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ApiWorldOptions {
  now?: () => Date;
  db?: TestDatabase;
  /** Pooler that the function expects in front of the database. @default "none" */
  pooler?: Pooler;
  /** Receives the notices that the server sends to the function's connections. */
  onNotice?: (notice: postgres.Notice) => void;
  /** Addresses of the databases of other cells. */
  otherCells?: Cells<string>;
  /** Sends the requests for the function compile-mjml. @default the function, in this process */
  fetchCompiler?: (request: Request) => Promise<Response>;
  /** Sends the requests for test mails. @default an answer of a provider that took the mail */
  fetchSenderTest?: (request: Request) => Promise<Response>;
  /** @default no name has a record */
  lookUpText?: TextLookup;
  /** @default false */
  isHosted?: boolean;
  /** Runs work later. @default at once */
  schedule?: ApiDeps["schedule"];
}

/** No test exhausts these. */
const wideLimits = {
  apiPerSecond: 10_000,
  apiBurst: 100_000,
  limits: { max_api_keys: 10_000 },
} as const;

const compilerKey = "sb_secret_dispatch";
/** The functions that only the service itself calls. */
const dispatch = { functionsUrl: `${supabaseUrl}/functions/v1`, key: compilerKey };

/** Creates a workspace and the api in front of it. */
export async function createApiWorld(options: ApiWorldOptions = {}): Promise<ApiWorld> {
  const { now = () => new Date() } = options;
  const db = options.db ?? await createTestDatabase();
  const sessions = await createTestSessions();
  const databases = connectCells(
    {
      SUPABASE_DB_URL: db.url,
      CELL_DATABASE_URLS: options.otherCells,
      DATABASE_POOLER: options.pooler,
    },
    {
      role: "signalpost_key",
      applicationName: "test-api",
      ...(options.onNotice && { onNotice: options.onNotice }),
    },
  );
  const app = await createApiApp({
    ...databases,
    schedule: options.schedule,
    now,
    log: createLog({ name: "api", level: "error" }),
    compileMjml: createMjmlCompiler({
      ...dispatch,
      fetch: options.fetchCompiler ?? createCompilerFetch(),
    }),
    testSender: createSenderTester({
      ...dispatch,
      fetch: options.fetchSenderTest ?? answerSenderTest,
    }),
    simulate: createSimulator({ ...dispatch, fetch: createAutomationFetch(db.url) }),
    lookUpText: options.lookUpText ?? (() => Promise.resolve([])),
    config: {
      isHosted: options.isHosted ?? false,
      hasInbox: true,
      supabaseUrl,
      jwks: sessions.jwks,
      secretsEncryptionKey: btoa(String.fromCharCode(...new Uint8Array(32))),
      allowedRanges: parseAllowedCidrs("127.0.0.0/8"),
    },
  });
  const planId = await createPlan(db.sql, wideLimits);
  const workspaceId = await createWorkspace(db.sql, { planId });
  const createUser = (email?: string) => insertUser(db, email);
  return {
    db,
    sql: db.sql,
    sessions,
    workspaceId,
    send: (request) => sendTo(app, request),
    createUser,
    async signInAs(role, target = workspaceId) {
      const userId = await createUser();
      await db.sql`
        insert into public.workspace_members (workspace_id, user_id, role)
        values (${target}, ${userId}, ${role})`;
      return await sessions.sign(userId);
    },
    createKey: (scopes, target = workspaceId) => {
      return createApiKey(db.sql, { workspaceId: target, scopes });
    },
    createWorkspace: () => createWorkspace(db.sql, { planId }),
    async [Symbol.asyncDispose]() {
      for (const sql of listCells(databases).values()) await sql.end({ timeout: 1 });
      if (options.db === undefined) await db[Symbol.asyncDispose]();
    },
  };
}

async function insertUser(
  { sql }: TestDatabase,
  email = `${crypto.randomUUID()}@example.com`,
): Promise<string> {
  const id = crypto.randomUUID();
  await sql`insert into auth.users (id, email, email_confirmed_at) values (${id}, ${email}, now())`;
  return id;
}

/** Creates the function compile-mjml behind the platform's gateway, which shortens its path. */
function createCompilerFetch(): (request: Request) => Promise<Response> {
  const log = createLog({ name: "compile-mjml", level: "error" });
  const app = createCompileApp({ dispatchKey: compilerKey, log });
  return async (request) =>
    await app.fetch(new Request(request.url.replace("/functions/v1/", "/"), request));
}

interface App {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

async function sendTo(app: App, request: ApiRequest): Promise<ServiceResponse> {
  const { method = "GET", path, token, workspaceId, body, raw, headers = {} } = request;
  const response = await app.request(`/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { "x-workspace-id": workspaceId }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : isJson(response) ? JSON.parse(text) : text,
  };
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") ?? false;
}

/** Answers as send-dispatch does for a provider that took the test mail. */
function answerSenderTest(): Promise<Response> {
  return Promise.resolve(Response.json({
    ok: true,
    outcome: "sent",
    reason: null,
    status_code: 250,
    response: "250 queued",
    provider_id: null,
    message_id: "<test@acme.example>",
    duration_ms: 1,
  }));
}

/** Creates the function automation behind the platform's gateway; its worker never works. */
function createAutomationFetch(url: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const databases = connectCells(
      { SUPABASE_DB_URL: url, CELL_DATABASE_URLS: undefined, DATABASE_POOLER: undefined },
      { role: "signalpost_automation", applicationName: "test-automation" },
    );
    const app = createAutomationApp({
      ...databases,
      worker: { wake: () => Promise.resolve(), stop: () => Promise.resolve() } as never,
      dispatchKey: compilerKey,
      waitUntil: () => {},
      log: createLog({ name: "automation", level: "error" }),
    });
    try {
      return await app.fetch(new Request(request.url.replace("/functions/v1/", "/"), request));
    } finally {
      for (const sql of listCells(databases).values()) await sql.end({ timeout: 1 });
    }
  };
}
