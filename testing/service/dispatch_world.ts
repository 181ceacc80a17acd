import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createLog, type LogFields } from "../../supabase/functions/_shared/log/log.ts";
import {
  createSecretBox,
  type SecretBox,
} from "../../supabase/functions/_shared/secrets/secrets.ts";
import { generateSecret } from "../../supabase/functions/_shared/secrets/signing.ts";
import {
  createDispatcher,
  type Dispatcher,
} from "../../supabase/functions/webhook-dispatch/dispatcher.ts";
import type { RunLimits } from "../../supabase/functions/_shared/work/work.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { createWorkspace } from "../data/factories.ts";
import { lockIsAwaited } from "../postgres/locks.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "../receivers/receiver.ts";
import { respond } from "../receivers/receiver_behaviours.ts";

export interface DestinationOverrides {
  workspaceId?: string;
  url?: string;
  eventTypes?: string[];
  enabled?: boolean;
  rateLimitPerSecond?: number;
  maxConcurrency?: number;
  /** Request headers of its own. */
  headers?: Record<string, string>;
}

/** Destination of the world, with its secret. */
export interface TestDestination {
  id: string;
  workspaceId: string;
  /** As its owner was shown it. */
  secret: string;
}

/** Workspace with a queue of messages, and a dispatcher in front of it. */
export interface DispatchWorld extends AsyncDisposable {
  db: TestDatabase;
  sql: postgres.Sql;
  workspaceId: string;
  /** As SECRETS_ENCRYPTION_KEY. */
  encryptionKey: string;
  secrets: SecretBox;
  /** Time, which stands still unless it is moved. */
  clock: { now: Date; advance(ms: number): void };
  /** One log line each, of every dispatcher. */
  lines: (LogFields & { msg: string })[];
  receive(options?: Partial<ReceiverOptions>): Promise<Receiver>;
  addDestination(overrides?: DestinationOverrides): Promise<TestDestination>;
  /** Publishes one message a payload, in a transaction of their own; returns their ids. */
  publish(eventType: string, ...payloads: object[]): Promise<string[]>;
  /** Sends what is due and resolves when all of it is recorded. */
  dispatch(limits?: Partial<RunLimits>): Promise<void>;
  makeDispatcher(limits?: Partial<RunLimits>, secrets?: SecretBox): Dispatcher;
  /** The log, oldest first. */
  deliveries(): Promise<DeliveryRow[]>;
  /** Resolves when a session waits for a lock of another. */
  waitForLock(): Promise<void>;
}

/** Delivery as the database stores it. */
export interface DeliveryRow {
  id: string;
  workspace_id: string;
  destination_id: string;
  message_id: string;
  event_type: string;
  attempt_number: number;
  trigger: string;
  ok: boolean;
  status_code: number | null;
  response_snippet: string | null;
  response_headers: Record<string, string> | null;
  error: string | null;
  duration_ms: number | null;
  attempted_at: Date;
  next_attempt_at: Date | null;
}

/** Limits with which a run ends as soon as nothing is due. */
const endsAtOnce: Partial<RunLimits> = { lingerMs: 0, horizonMs: 0 };

/** A database with a workspace, and dispatchers that go by a clock of the test's own. */
export async function createDispatchWorld(
  options: { fetch?: GuardedFetchOptions; db?: TestDatabase } = {},
): Promise<DispatchWorld> {
  const db = options.db ?? await createTestDatabase();
  const stack = new AsyncDisposableStack();
  stack.use(db);
  const workspaceId = await createWorkspace(db.sql);
  const encryptionKey = randomBytes(32).toString("base64");
  const secrets = await createSecretBox(encryptionKey);
  const clock = createClock();
  const lines: DispatchWorld["lines"] = [];
  const allowed = parseAllowedCidrs("127.0.0.0/8");
  const fetch = createGuardedFetch({ allowed, ...options.fetch });
  stack.defer(() => fetch.close());
  const sql = connectDispatch(db.url);
  stack.defer(() => sql.end({ timeout: 5 }));
  const makeDispatcher = buildDispatchers({ sql, fetch, secrets, clock, lines, stack });
  return {
    db,
    sql: db.sql,
    workspaceId,
    encryptionKey,
    secrets,
    clock,
    lines,
    makeDispatcher,
    async receive(options = {}) {
      const receiver = await startReceiver({ behaviour: respond(200), ...options });
      stack.defer(() => receiver.close());
      return receiver;
    },
    addDestination: (overrides = {}) =>
      addDestination({ sql: db.sql, secrets, clock }, { workspaceId, ...overrides }),
    publish: (eventType, ...payloads) =>
      publishMessages(db.sql, { workspaceId, eventType, payloads, now: clock.now }),
    dispatch: (limits = {}) => makeDispatcher({ ...endsAtOnce, ...limits }).wake(),
    deliveries: async () => [
      ...await db.sql<DeliveryRow[]>`select * from public.deliveries order by attempted_at, id`,
    ],
    waitForLock: () => lockIsAwaited(db.sql),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A connection with the rights of the function, and no others. */
export function connectDispatch(url: string): Sql {
  return connectDatabase({ url, role: "signalpost_dispatch", applicationName: "dispatch-test" });
}

function createClock(): DispatchWorld["clock"] {
  // Partitions are there for the present, and the log's ids hold whole milliseconds.
  const clock = {
    now: new Date(),
    advance(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  return clock;
}

function buildDispatchers(world: {
  sql: Sql;
  fetch: GuardedFetch;
  secrets: SecretBox;
  clock: DispatchWorld["clock"];
  lines: DispatchWorld["lines"];
  stack: AsyncDisposableStack;
}): DispatchWorld["makeDispatcher"] {
  const now = () => world.clock.now;
  const log = createLog({
    name: "webhook-dispatch",
    now,
    write: (line) => void world.lines.push(JSON.parse(line)),
  });
  return (limits = {}, secrets = world.secrets) => {
    const { sql, fetch } = world;
    // Half of all chance: no jitter.
    const random = () => 0.5;
    const deps = { sql, fetch, secrets, log, now, databaseNow: now, random, limits };
    const dispatcher = createDispatcher(deps);
    world.stack.defer(() => dispatcher.stop());
    return dispatcher;
  };
}

/** Creates a destination with a secret. */
export async function addDestination(
  { sql, secrets, clock }: Pick<DispatchWorld, "sql" | "secrets"> & { clock: { now: Date } },
  options: DestinationOverrides & { workspaceId: string },
): Promise<TestDestination> {
  const { workspaceId, url = "https://receiver.test/hook", eventTypes = ["*"] } = options;
  const { enabled = true, rateLimitPerSecond = null, maxConcurrency = 10 } = options;
  const [row] = await sql<{ id: string }[]>`
    insert into public.destinations (
      workspace_id, name, url, event_types, enabled, rate_limit_per_second, max_concurrency
    )
    values (
      ${workspaceId}, 'Test', ${url},
      array(select jsonb_array_elements_text(${sql.json(eventTypes)})),
      ${enabled}, ${rateLimitPerSecond}, ${maxConcurrency}
    )
    returning id
  `;
  const { id } = row!;
  const secret = generateSecret();
  const ciphertext = await secrets.encrypt({ kind: "destination", workspaceId, id }, secret);
  await sql`
    select private.rotate_destination_secret(
      ${workspaceId}, ${id}, ${ciphertext}, p_now => ${clock.now}
    )
  `;
  await addHeaders({ sql, secrets }, { workspaceId, id, headers: options.headers ?? {} });
  return { id, workspaceId, secret };
}

async function addHeaders(
  { sql, secrets }: Pick<DispatchWorld, "sql" | "secrets">,
  { workspaceId, id, headers }: {
    workspaceId: string;
    id: string;
    headers: Record<string, string>;
  },
): Promise<void> {
  const owner = { kind: "destination_header", workspaceId, id } as const;
  const changes = await Promise.all(
    Object.entries(headers).map(async ([name, value]) => ({
      name,
      ciphertext: await secrets.encrypt(owner, value),
    })),
  );
  if (changes.length === 0) return;
  await sql`
    select private.change_destination_headers(
      ${workspaceId}, ${id}, ${JSON.stringify(changes)}::text::jsonb
    )`;
}

/** Publishes messages in one transaction; returns the ids of those that somebody gets. */
export async function publishMessages(
  sql: postgres.Sql,
  { workspaceId, eventType, payloads, now }: {
    workspaceId: string;
    eventType: string;
    payloads: readonly object[];
    now?: Date;
  },
): Promise<string[]> {
  const [row] = await sql<{ ids: string[] }[]>`
    select to_jsonb(private.publish_messages(
      array(
        select row(${workspaceId}::uuid, ${eventType}::text, p.value, null, null)::private.new_message
        from jsonb_array_elements(${JSON.stringify(payloads)}::text::jsonb) as p
      ),
      coalesce(${now ?? null}::timestamptz, clock_timestamp())
    )) as ids
  `;
  return row!.ids;
}
