import { Buffer } from "node:buffer";
import type postgres from "postgres";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import type { HmacSettings } from "../../supabase/functions/_shared/sources/hmac.ts";
import type { Mapping } from "../../supabase/functions/_shared/sources/mapping.ts";
import type { Preset, Scheme } from "../../supabase/functions/_shared/sources/sources.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import {
  createSecretBox,
  type SecretBox,
} from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createInboundApp, type InboundDeps } from "../../supabase/functions/inbound/app.ts";
import type { ServiceResponse } from "../service/app.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { createPlan, createWorkspace, type PlanOverrides } from "./factories.ts";
import { findSender, type Sender } from "../senders/senders.ts";

export interface SourceOverrides {
  scheme?: Scheme;
  hmac?: HmacSettings;
  topicArn?: string;
  preset?: Preset | null;
  mapping?: Mapping | null;
  enabled?: boolean;
  secret?: string;
}

/** Request that a test sends to a source. */
export interface Delivery {
  source: TestSource;
  body: string;
  headers?: Record<string, string>;
  /** The message's id, where the scheme signs one. */
  id?: string;
  /** Moment of the signature. @default the world's own clock */
  at?: Date;
}

/** Source of the world, with a sender that signs for it. */
export interface TestSource {
  id: string;
  /** Undefined for a scheme whose requests each test signs on its own. */
  sender: Sender | undefined;
}

/** One instance of the inbound function on a database and workspace of the test's own. */
export interface InboundWorld {
  db: TestDatabase;
  workspaceId: string;
  secrets: SecretBox;
  /** Lines the function logged. */
  logged: string[];
  createSource(overrides?: SourceOverrides): Promise<TestSource>;
  /** Signs and sends a body as the source's sender does. */
  deliver(delivery: Delivery): Promise<ServiceResponse>;
  /** Sends a request as it is. */
  post(path: string, init?: RequestInit): Promise<ServiceResponse>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface InboundWorldOptions {
  now?: () => Date;
  plan?: PlanOverrides;
  /** As SECRETS_ENCRYPTION_KEY. */
  keys?: string;
  /** A database and workspace that are there already, and end later than this. */
  on?: { db: TestDatabase; workspaceId: string };
  /** Reaches SNS. @default nothing is reached */
  fetch?: InboundDeps["fetch"];
  /** Longest wait for the database, in ms. @default the function's own */
  answerTimeoutMs?: number;
  /** Runs work later. @default at once */
  schedule?: InboundDeps["schedule"];
}

/** A key of 32 bytes, as `SECRETS_ENCRYPTION_KEY` holds it. */
const encryptionKey = Buffer.alloc(32).toString("base64");

/** URL of the world's functions, as callers see it. */
export const baseUrl = "https://project.example";

const unreachable: InboundDeps["fetch"] = {
  send: () => Promise.reject(new Error("Cannot send: the test reaches nobody")),
};

/** Creates a workspace and the inbound function in front of it. */
export async function createInboundWorld(
  options: InboundWorldOptions = {},
): Promise<InboundWorld> {
  const { now = () => new Date(), plan, on, keys = encryptionKey, fetch = unreachable } = options;
  const { answerTimeoutMs, schedule } = options;
  const db = on?.db ?? await createTestDatabase();
  const planId = plan ? await createPlan(db.sql, plan) : "scale";
  const workspaceId = on?.workspaceId ?? await createWorkspace(db.sql, { planId });
  const secrets = await createSecretBox(keys);
  const logged: string[] = [];
  const sql = connectDatabase({
    url: db.url,
    role: "signalpost_ingest",
    applicationName: "test-inbound",
    ...answerTimeoutMs !== undefined && { answerTimeoutMs },
  });
  const log = createLog({ name: "inbound", write: (line) => logged.push(line) });
  const app = createInboundApp({ sql, secrets, fetch, baseUrl, now, log, schedule });
  const post = async (path: string, init: RequestInit = {}) => {
    return await readResponse(await app.request(path, { method: "POST", ...init }));
  };
  return {
    db,
    workspaceId,
    secrets,
    logged,
    post,
    createSource: (overrides = {}) =>
      insertSource({ sql: db.sql, workspaceId, secrets, overrides }),
    async deliver({ source, body, headers = {}, id, at = now() }) {
      const signed = await source.sender?.sign(body, at, id);
      const all = { "content-type": "application/json", ...signed, ...headers };
      return await post(`/inbound/${source.id}`, { headers: all, body });
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 });
      if (on === undefined) await db[Symbol.asyncDispose]();
    },
  };
}

async function insertSource(
  { sql, workspaceId, secrets, overrides }: {
    sql: postgres.Sql;
    workspaceId: string;
    secrets: SecretBox;
    overrides: SourceOverrides;
  },
): Promise<TestSource> {
  const { scheme = "service", preset = null, mapping = null, enabled = true } = overrides;
  const sender = findSender(scheme);
  const hmac = overrides.hmac === undefined ? null : JSON.stringify(overrides.hmac);
  const mappingJson = mapping === null ? null : JSON.stringify(mapping);
  const rows = await sql<{ id: string }[]>`
    insert into public.inbound_sources (
      workspace_id, name, scheme, hmac, topic_arn, preset, mapping, enabled
    )
    values (
      ${workspaceId}, 'Test', ${scheme}, ${hmac}::text::jsonb, ${overrides.topicArn ?? null},
      ${preset}, ${mappingJson}::text::jsonb, ${enabled}
    )
    returning id
  `;
  const id = rows[0]!.id;
  const owner = { kind: "source", workspaceId, id } as const;
  const secret = overrides.secret ?? sender?.secret;
  if (secret === undefined) return { id, sender };
  const ciphertext = await secrets.encrypt(owner, secret);
  await sql`select private.rotate_inbound_secret(${workspaceId}, ${id}, ${ciphertext})`;
  return { id, sender };
}

async function readResponse(response: Response): Promise<ServiceResponse> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
