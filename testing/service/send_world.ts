import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog, type LogFields } from "../../supabase/functions/_shared/log/log.ts";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import {
  createSecretBox,
  type SecretBox,
} from "../../supabase/functions/_shared/secrets/secrets.ts";
import type { RunLimits } from "../../supabase/functions/_shared/work/work.ts";
import type { ClaimWorker } from "../../supabase/functions/_shared/work/worker.ts";
import {
  createHandOver,
  type HandOverTo,
} from "../../supabase/functions/send-dispatch/providers/hand_over.ts";
import type { SmtpOptions } from "../../supabase/functions/send-dispatch/providers/smtp.ts";
import { createSendWorker } from "../../supabase/functions/send-dispatch/send_worker.ts";
import { createWorkspace } from "../data/factories.ts";
import { ingestEntries } from "../data/ingest.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "../receivers/receiver.ts";
import { respond } from "../receivers/receiver_behaviours.ts";

/** Fields of a sender that a test sets. */
export interface SenderOverrides {
  workspaceId?: string;
  provider?: string;
  config?: object;
  secrets?: object;
  ratePerSecond?: number | null;
  maxConcurrency?: number;
  onUnknown?: "stop" | "repeat";
}

/** Fields of a message to create, as `private.create_sends` takes them. */
export type NewSend = Record<string, unknown>;

/** A send as the database stores it. */
export interface SendRow {
  id: string;
  state: string;
  reason: string | null;
  email: string | null;
  message_id: string | null;
  provider_id: string | null;
  attempts: { outcome: string; reason: string | null; status_code: number | null }[];
  links: string[];
  sent_at: Date | null;
}

/** Workspace with a template, a topic and customers, and workers that send. */
export interface SendWorld extends AsyncDisposable {
  db: TestDatabase;
  sql: postgres.Sql;
  workspaceId: string;
  templateId: string;
  topicId: string;
  /** As SECRETS_ENCRYPTION_KEY. */
  encryptionKey: string;
  /** Time, which stands still unless it is moved. */
  clock: { now: Date; advance(ms: number): void };
  /** One log line each, of every worker. */
  lines: (LogFields & { msg: string })[];
  receive(options?: Partial<ReceiverOptions>): Promise<Receiver>;
  /** A sender of the provider Resend at the address of a receiver, unless told otherwise. */
  addSender(port: number, overrides?: SenderOverrides): Promise<string>;
  /** A customer; returns the id. */
  addCustomer(email: string, profile?: object): Promise<string>;
  /** Creates messages; returns their ids. */
  create(...sends: NewSend[]): Promise<string[]>;
  /** Sends what is due and resolves when all of it is recorded. */
  dispatch(limits?: Partial<RunLimits>): Promise<void>;
  makeWorker(limits?: Partial<RunLimits>, handOver?: HandOverTo): ClaimWorker;
  /** The message as it is now. */
  read(sendId: string): Promise<SendRow>;
  /** Names of the events of a customer, oldest first. */
  events(customerId: string): Promise<string[]>;
}

/** Options of `createSendWorld`. */
export interface SendWorldOptions {
  /** Certificate authorities in PEM that SMTP trusts. */
  smtpCa?: string;
  smtpTimes?: Pick<SmtpOptions, "connectTimeoutMs" | "socketTimeoutMs" | "deadlineMs">;
  httpDeadlineMs?: number;
  /** @default a database of its own */
  db?: TestDatabase;
  /** @default a new one */
  encryptionKey?: string;
}

/** Limits with which a run ends as soon as nothing is due. */
const endsAtOnce: Partial<RunLimits> = { lingerMs: 0, horizonMs: 0, maxRunMs: 20_000 };

/** Base URL of the links in messages. */
export const linksUrl = "https://links.test/links";

/** A database with a workspace, and workers that go by a clock of the test's own. */
export async function createSendWorld(options: SendWorldOptions = {}): Promise<SendWorld> {
  const stack = new AsyncDisposableStack();
  const db = stack.use(options.db ?? await createTestDatabase());
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const { templateId, topicId } = await addContents(sql, workspaceId);
  const encryptionKey = options.encryptionKey ?? randomBytes(32).toString("base64");
  const secrets = await createSecretBox(encryptionKey);
  const clock = createClock();
  const lines: SendWorld["lines"] = [];
  const handOver = createTestHandOver(stack, options);
  const pool = connectSend(db.url);
  stack.defer(() => pool.end({ timeout: 5 }));
  const makeWorker = buildWorkers({ sql: pool, secrets, clock, lines, handOver, stack });
  return {
    db,
    sql,
    workspaceId,
    templateId,
    topicId,
    encryptionKey,
    clock,
    lines,
    makeWorker,
    async receive(options = {}) {
      const receiver = await startReceiver({ behaviour: respond(200), ...options });
      stack.defer(() => receiver.close());
      return receiver;
    },
    addSender: (port, overrides = {}) =>
      addSender({ sql, secrets }, { workspaceId, ...overrides }, port),
    addCustomer: (email, profile = {}) => addCustomer(sql, workspaceId, { email, ...profile }),
    create: (...sends) => {
      const defaults = { workspace_id: workspaceId, template_id: templateId };
      return createSends(sql, sends.map((send) => ({ ...defaults, ...send })), clock.now);
    },
    dispatch: (limits = {}) => makeWorker({ ...endsAtOnce, ...limits }).wake(),
    read: (sendId) => readSend(sql, sendId),
    events: (customerId) => readEvents(sql, customerId),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A connection with the rights of the function, and no others. */
export function connectSend(url: string): Sql {
  return connectDatabase({ url, role: "signalpost_send", applicationName: "send-test" });
}

function createTestHandOver(
  stack: AsyncDisposableStack,
  { smtpCa, smtpTimes, httpDeadlineMs }: SendWorldOptions,
): HandOverTo {
  const allowed = parseAllowedCidrs("127.0.0.0/8");
  const http = createGuardedFetch({
    allowed,
    ...(httpDeadlineMs === undefined ? {} : { deadlineMs: httpDeadlineMs }),
  });
  stack.defer(() => http.close());
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  const times = smtpTimes ?? { connectTimeoutMs: 2_000, socketTimeoutMs: 2_000 };
  const smtp = { allowed, resolve, ...times, ...(smtpCa === undefined ? {} : { ca: smtpCa }) };
  return createHandOver({ http, smtp, inboxPort: undefined });
}

function createClock(): SendWorld["clock"] {
  const clock = {
    now: new Date(),
    advance(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  return clock;
}

function buildWorkers(world: {
  sql: Sql;
  secrets: SecretBox;
  clock: SendWorld["clock"];
  lines: SendWorld["lines"];
  handOver: HandOverTo;
  stack: AsyncDisposableStack;
}): SendWorld["makeWorker"] {
  const now = () => world.clock.now;
  const write = (line: string) => void world.lines.push(JSON.parse(line));
  const log = createLog({ name: "send-dispatch", now, write });
  return (limits = {}, handOver = world.handOver) => {
    const { sql, secrets } = world;
    // Half of all chance: no jitter.
    const random = () => 0.5;
    const worker = createSendWorker({
      sql,
      secrets,
      handOver,
      log,
      now,
      databaseNow: now,
      random,
      linksUrl,
      limits,
    });
    world.stack.defer(() => worker.stop(0));
    return worker;
  };
}

async function addContents(sql: postgres.Sql, workspaceId: string) {
  const templateId = await addTemplate(sql, workspaceId, {
    subject: "Hello {{ customer.first_name }}",
    html:
      '<p>Hi {{ customer.first_name }}</p><a href="https://shop.test/?id={{ trigger.order }}">' +
      'Order</a> <a href="{{ unsubscribe_url }}">Leave</a>',
    text: "Hi {{ customer.first_name }} {{ unsubscribe_url }}",
    hasUnsubscribe: true,
  });
  const [topic] = await sql<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'news', 'News', 'subscribed') returning id`;
  return { templateId, topicId: topic!.id };
}

/** Contents of a template of a test. */
export interface TestTemplate {
  subject: string;
  html: string | null;
  text: string | null;
  hasUnsubscribe?: boolean;
  isStrict?: boolean;
}

/** Creates a template with one version; returns its id. */
export async function addTemplate(
  sql: postgres.Sql,
  workspaceId: string,
  { subject, html, text, hasUnsubscribe = false, isStrict = false }: TestTemplate,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with template as (
      insert into public.templates (workspace_id, name, version, strict)
      values (${workspaceId}, 'Test', 1, ${isStrict})
      returning id
    )
    insert into public.template_versions (
      workspace_id, template_id, version, subject, html, text, is_text_generated, variables,
      warnings, has_unsubscribe
    )
    select ${workspaceId}, t.id, 1, ${subject}, ${html}, ${text}, false, '{}', '{}', ${hasUnsubscribe}
    from template as t
    returning template_id as id`;
  return row!.id;
}

async function addSender(
  { sql, secrets }: { sql: postgres.Sql; secrets: SecretBox },
  options: SenderOverrides & { workspaceId: string },
  port: number,
): Promise<string> {
  const { workspaceId, provider = "resend", ratePerSecond = null, maxConcurrency = 10 } = options;
  const { config = { base_url: `http://127.0.0.1:${port}/` }, onUnknown = "stop" } = options;
  const [row] = await sql<{ id: string }[]>`
    insert into public.senders (
      workspace_id, name, provider, from_address, config, rate_per_second, max_concurrency, on_unknown
    )
    values (
      ${workspaceId}, 'Main', ${provider}, 'Acme <hello@acme.example>',
      ${JSON.stringify(config)}::text::jsonb, ${ratePerSecond}, ${maxConcurrency}, ${onUnknown}
    )
    returning id`;
  const { id } = row!;
  const plain = JSON.stringify(options.secrets ?? { api_key: "secret" });
  const ciphertext = await secrets.encrypt({ kind: "sender", workspaceId, id }, plain);
  await sql`
    insert into private.sender_secrets (workspace_id, sender_id, ciphertext)
    values (${workspaceId}, ${id}, ${ciphertext})`;
  return id;
}

async function addCustomer(
  sql: postgres.Sql,
  workspaceId: string,
  profile: { email: string },
): Promise<string> {
  const [result] = await ingestEntries(sql, [{
    workspace_id: workspaceId,
    kind: "identify",
    external_id: `user-${profile.email}`,
    profile: { first_name: "Ada", ...profile },
  }]);
  if (!result?.ok) throw new Error(`Cannot add customer: ${JSON.stringify(result)}`);
  return result.customer_id;
}

async function createSends(
  sql: postgres.Sql,
  sends: readonly NewSend[],
  now: Date,
): Promise<string[]> {
  const rows = await sql<{ send_id: string }[]>`
    select s.send_id from private.create_sends(${JSON.stringify(sends)}::text::jsonb, ${now}) as s
    order by s.position`;
  return rows.map(({ send_id }) => send_id);
}

async function readSend(sql: postgres.Sql, sendId: string): Promise<SendRow> {
  const [row] = await sql<SendRow[]>`
    select s.id, s.state, s.reason, s.email, s.message_id, s.provider_id, s.attempts,
      to_jsonb(s.links) as links, s.sent_at
    from public.sends as s where s.id = ${sendId}`;
  return row!;
}

async function readEvents(sql: postgres.Sql, customerId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select e.name from public.events as e
    join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
    where i.customer_id = ${customerId} and e.kind = 'event'
    order by e.received_at, e.id`;
  return rows.map(({ name }) => name);
}
