import { App } from "@supabase/lite";
import { createPostgresConnection, type PostgresConnection } from "@supabase/lite/postgres";
import { readFileSync } from "node:fs";
import { createMailDriver } from "./mail.ts";
import { postgrestTypes } from "./postgrest_types.ts";
import type { StackState } from "../state.ts";
import { createTokenExchange, type TokenExchange } from "./tokens.ts";

/** Supabase's Auth and Data API, as clients of a hosted project see them. */
export interface SupabaseApi {
  /** Responds to `/auth/v1/…` and `/rest/v1/…`. */
  fetch(request: Request, peerAddress: string): Promise<Response>;
  /** Public keys of the tokens, as JSON Web Key Set. */
  jwks: { keys: object[] };
  /** Call after the migrations, which make the roles and the tables. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface SupabaseApiOptions {
  databaseUrl: string;
  baseUrl: string;
  state: StackState;
  /** Called with each e-mail that Auth sends. */
  say: (line: string) => void;
  /** Port of the inbox's SMTP server. */
  smtpPort: number;
}

const jwksPath = "/auth/v1/.well-known/jwks.json";

/**
 * Prepares the `auth` schema, before migrations, and responds as Supabase does after them.
 *
 * @throws Error when the schema cannot be created.
 */
export async function createSupabaseApi(options: SupabaseApiOptions): Promise<SupabaseApi> {
  const connection = createPostgresConnection({
    url: options.databaseUrl,
    postgresOptions: {
      max: 10,
      onnotice: () => {},
      types: postgrestTypes,
      // Sign-in has the same connections as the Data API: no query may hold one.
      connection: { statement_timeout: 8_000 },
    },
  });
  // Unless this is set, lite grants every right on every schema that has a policy.
  Object.assign(connection, { rlsState: "active" });
  const app = createLite(connection, options);
  await createAuthSchema(app, connection);
  const tokens = await createTokenExchange({
    signingKey: options.state.signing_key,
    internalSecret: options.state.internal_jwt_secret,
    issuer: `${options.baseUrl}/auth/v1`,
  });
  return {
    fetch: (request, peerAddress) => respond({ app, tokens, request, peerAddress }),
    jwks: tokens.jwks,
    open: async () => {
      await connection.exec(readSql("auth_schema.sql"));
      await connection.clearSchemaCache();
    },
    close: () => connection.close(),
  };
}

function createLite(connection: PostgresConnection, options: SupabaseApiOptions): App {
  return new App({
    connection,
    api: { schemas: ["public"] },
    auth: {
      enabled: true,
      jwt_secret: options.state.internal_jwt_secret,
      publishable_key: options.state.publishable_key,
      secret_key: options.state.secret_key,
      site_url: options.baseUrl,
    },
    options: { drivers: { email: createMailDriver(options) } },
  });
}

async function createAuthSchema(app: App, connection: PostgresConnection): Promise<void> {
  await connection.exec(readSql("auth_users.sql"));
  await app.ensureSystemSchema();
  // It swallows the errors of its statements.
  const tables = await connection.driver`
    select from pg_tables
    where schemaname = 'auth'
      and tablename in ('users', 'sessions', 'identities', 'refresh_tokens', 'flow_state')`;
  if (tables.count !== 5) throw new Error('Cannot create schema "auth": some tables are missing');
}

function readSql(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

interface Exchange {
  app: App;
  tokens: TokenExchange;
  request: Request;
  peerAddress: string;
}

async function respond({ app, tokens, request, peerAddress }: Exchange): Promise<Response> {
  const { method, body, url } = request;
  const { pathname } = new URL(url);
  if (pathname === jwksPath) {
    return Response.json(tokens.jwks, {
      headers: { "cache-control": "public, max-age=600", "access-control-allow-origin": "*" },
    });
  }
  const headers = new Headers(request.headers);
  const token = headers.get("authorization")?.match(/^Bearer (ey.+)$/)?.[1];
  if (token) headers.set("authorization", `Bearer ${await tokens.toInternal(token)}`);
  const response = await app.fetch(new Request(url, { method, headers, body }), { peerAddress });
  return pathname.startsWith("/auth/v1/") ? await publishTokens(tokens, response) : response;
}

async function publishTokens(tokens: TokenExchange, response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("json")) return response;
  const body = await response.json();
  const session = body?.session ?? body;
  if (typeof session?.access_token === "string") {
    session.access_token = await tokens.toPublic(session.access_token);
  }
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(body), { status: response.status, headers });
}
