import { readFileSync } from "node:fs";
import { startOwnServer } from "../../testing/postgres/own_server.ts";
import { spawnSender } from "../../testing/service/spawn_sender.ts";
import { createTestAuthority } from "../../testing/receivers/certificates.ts";
import {
  createSendWorld,
  type SenderOverrides,
  type SendWorld,
} from "../../testing/service/send_world.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { describeMachine } from "./machine.ts";
import { type ServingProcess, startReceiver, startSmtpServer } from "./processes.ts";
import { print } from "./table.ts";

const customers = 1_000;
const batch = 500;

/** Receiver of the messages, and the authorities that the worker trusts there. */
interface Provider {
  process: ServingProcess;
  sender: SenderOverrides;
  /** Certificate authorities in PEM. */
  smtpCa?: string;
}

const providers: Readonly<Record<string, () => Promise<Provider>>> = {
  http: startHttpProvider,
  smtp: startSmtpProvider,
};

/**
 * Sends messages to a provider in another process, with consent, suppression, caps and quiet hours
 * checked. Prints the rate and the memory of the worker.
 *
 * @param args number of messages, @default 10,000, and `http` or `smtp`, @default http
 */
export async function runSends([count = "10000", name = "http"]: string[]): Promise<void> {
  const startProvider = providers[name];
  if (!startProvider) throw new Error(`Cannot send by "${name}": choose http or smtp`);
  print(describeMachine());
  await using server = await startOwnServer();
  await using world = await createSendWorld({ db: server.db });
  const provider = await startProvider();
  await using _process = provider.process;
  await createBacklog(world, provider.sender, Number(count));
  let peak = 0;
  while (await isWaiting(world)) peak = Math.max(peak, await runWorker(world, provider.smtpCa));
  const [row] = await world.sql<[{ seconds: number; sent: number }]>`
    select
      extract(epoch from max(finished_at) - min(sent_at))::float8 as seconds,
      count(*) filter (where state = 'sent')::int as sent
    from public.sends`;
  const rate = row.sent / row.seconds;
  print(
    `Sends over ${name.toUpperCase()}, all checks on: ${
      rate.toFixed(0)
    } per second (${row.sent} of ${count} sent)`,
  );
  print(`Memory of the worker: at most ${(peak / 1024).toFixed(0)} MiB`);
}

async function startHttpProvider(): Promise<Provider> {
  const process = await startReceiver();
  return { process, sender: { config: { base_url: `${process.url}/ok` } } };
}

/** SMTP with TLS from the first byte. */
async function startSmtpProvider(): Promise<Provider> {
  const host = "mail.example.com";
  const authority = await createTestAuthority();
  const process = await startSmtpServer({ identity: await authority.issue(host) });
  return {
    process,
    sender: {
      provider: "smtp",
      config: { host, port: Number(new URL(process.url).port), secure: true, username: "user" },
      secrets: { password: "pass" },
    },
    smtpCa: authority.cert,
  };
}

async function isWaiting({ sql }: SendWorld): Promise<boolean> {
  const [row] = await sql<{ waits: boolean }[]>`
    select exists (select from public.sends where state = 'queued') as waits`;
  return row!.waits;
}

/** Lets a worker send until its run ends; returns the most memory that it took, in KiB. */
async function runWorker(world: SendWorld, smtpCa?: string): Promise<number> {
  const child = spawnSender(world, smtpCa);
  let isOver = false;
  void child.status.then(() => isOver = true);
  let peak = 0;
  while (!isOver) {
    peak = Math.max(peak, readMemory(child.pid));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { success } = await child.status;
  if (!success) throw new Error("Cannot measure: the worker failed");
  return peak;
}

async function createBacklog(
  world: SendWorld,
  sender: SenderOverrides,
  count: number,
): Promise<void> {
  const { sql, workspaceId, topicId } = world;
  await sql`
    insert into public.send_settings (workspace_id, caps, quiet_hours)
    values (
      ${workspaceId}, '[{"max": 1000000, "per": "7d"}]',
      jsonb_build_object(
        'from', to_char(now() + interval '11 hours', 'HH24:MI'),
        'to', to_char(now() + interval '12 hours', 'HH24:MI')
      )
    )`;
  const sender_id = await world.addSender(0, { ...sender, maxConcurrency: 100 });
  const results = await ingestEntries(
    sql as never,
    Array.from({ length: customers }, (_, n) => ({
      workspace_id: workspaceId,
      kind: "identify" as const,
      external_id: `user-${n}`,
      profile: { email: `user-${n}@example.com`, first_name: `Ada ${n}` },
    })),
  );
  const ids = results.map((result) => result.ok ? result.customer_id : "");
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done);
    await world.create(...Array.from({ length: size }, (_, n) => ({
      sender_id,
      customer_id: ids[(done + n) % customers],
      topic_id: topicId,
    })));
  }
  await sql`vacuum analyze`;
}

/** Resident memory of a process, in KiB. */
function readMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    // It has just ended.
    return 0;
  }
}
