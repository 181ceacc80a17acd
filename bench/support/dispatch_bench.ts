import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { startPostgres } from "../../local/postgres/postgres.ts";
import { platformSql } from "../../testing/postgres/platform_parts.ts";
import {
  createSecretBox,
  type SecretBox,
} from "../../supabase/functions/_shared/secrets/secrets.ts";
import { generateSecret } from "../../supabase/functions/_shared/secrets/signing.ts";
import type { Arrival } from "./dispatch_receiver.ts";
import type { WorkerUse } from "./dispatch_worker.ts";
import { startReceiver, startServing } from "./processes.ts";

const tellOfPosts = `
  create function net.tell() returns trigger language plpgsql as $$
  begin
    notify posted;
    return null;
  end
  $$;
  create trigger tell after insert on net.requests execute function net.tell();
`;

/** A durable database, a dispatcher and receivers, each a process of its own. */
export interface DispatchBench extends AsyncDisposable {
  sql: postgres.Sql;
  /** Address of the database. */
  url: string;
  addWorkspace(): Promise<string>;
  addDestination(destination: BenchDestination): Promise<string>;
  /** Takes what has arrived since the last time. */
  takeArrivals(): Promise<Arrival[]>;
  readUse(): Promise<WorkerUse>;
}

export interface BenchDestination {
  workspaceId: string;
  eventType: string;
  /** Behaviour of its receiver. @default "ok" */
  behaviour?: "ok" | "hang" | "fail";
  rateLimitPerSecond?: number;
  maxConcurrency?: number;
}

/** `isHosted`: the dispatcher is called over pg_net's stand-in alone, as on the platform. */
export async function createDispatchBench(
  { isHosted = false }: { isHosted?: boolean } = {},
): Promise<DispatchBench> {
  const stack = new AsyncDisposableStack();
  const url = await startDatabase(stack, isHosted ? platformSql + tellOfPosts : "");
  const encryptionKey = randomBytes(32).toString("base64");
  const secrets = await createSecretBox(encryptionKey);
  const sql = postgres(url, { max: 4, fetch_types: false, onnotice: () => {} });
  stack.defer(() => sql.end({ timeout: 5 }));
  const { url: receiver } = stack.use(await startReceiver());
  const { url: worker } = stack.use(
    await startServing("dispatch_worker.ts", { databaseUrl: url, encryptionKey, isHosted }),
  );
  return {
    sql,
    url,
    async addWorkspace() {
      const [row] = await sql`insert into public.workspaces (name) values ('Bench') returning id`;
      return row!.id;
    },
    addDestination: (destination) => addDestination({ sql, secrets, receiver }, destination),
    takeArrivals: async () => await (await fetch(`${receiver}/arrivals`)).json(),
    readUse: async () => await (await fetch(worker)).json(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function startDatabase(stack: AsyncDisposableStack, parts: string): Promise<string> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-bench-" });
  // As root, Postgres runs as another user, who must be able to enter.
  await Deno.chmod(dir, 0o711);
  stack.defer(() => Deno.remove(dir, { recursive: true }));
  const server = await startPostgres({ dir, password: crypto.randomUUID() });
  stack.defer(() => server.stop());
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  await sql.unsafe(parts);
  await sql.end();
  await applyMigrations(server.url);
  return server.url;
}

/** Adds a destination whose receiver behaves as asked; returns its id. */
export async function addDestination(
  { sql, secrets, receiver }: { sql: postgres.Sql; secrets: SecretBox; receiver: string },
  destination: BenchDestination,
): Promise<string> {
  const { workspaceId, eventType, behaviour = "ok" } = destination;
  const { rateLimitPerSecond = null, maxConcurrency = 10 } = destination;
  const [row] = await sql`
    insert into public.destinations (
      workspace_id, name, url, event_types, rate_limit_per_second, max_concurrency
    )
    values (
      ${workspaceId}, 'Bench', ${`${receiver}/${behaviour}`},
      array[${eventType}], ${rateLimitPerSecond}, ${maxConcurrency}
    )
    returning id
  `;
  const owner = { kind: "destination", workspaceId, id: row!.id } as const;
  const ciphertext = await secrets.encrypt(owner, generateSecret());
  await sql`select private.rotate_destination_secret(${workspaceId}, ${row!.id}, ${ciphertext})`;
  return row!.id;
}
