import { workCampaigns } from "../../local/work_campaigns.ts";
import { type OwnServer, startOwnServer } from "../postgres/own_server.ts";
import { spawnSender } from "./spawn_sender.ts";
import { createSendWorld, type SendWorld } from "./send_world.ts";

/** A disturbance of a campaign, and the share of its mails after which it happens. */
type Disturbance = [share: number, kind: "kill" | "crash" | "pause"];

const disturbances: Disturbance[] = [
  [0.1, "kill"],
  [0.25, "crash"],
  [0.4, "pause"],
  [0.5, "kill"],
  [0.6, "crash"],
  [0.75, "pause"],
  [0.85, "kill"],
];

/** Outcome of a campaign that was disturbed. */
export interface KilledCampaign {
  outcome: {
    recipients: number;
    sent: number;
    skipped: Record<string, number>;
    failed: number;
    unknown: number;
  };
  /** Mails that the provider sent: one per idempotency key. */
  mails: number;
  /** Different addresses among them. */
  addresses: number;
  /** Mails between two seconds after each pause and its end. */
  mailsWhilePaused: number;
  /** Types of the service events, in order. */
  events: string[];
  kills: number;
  pauses: number;
  /** Time to store the audience, and the whole, with all disturbances. */
  audienceMs: number;
  totalMs: number;
}

interface Provider extends AsyncDisposable {
  url: string;
  /** Address by idempotency key. */
  mails: Map<string, string>;
}

/** A provider that takes every mail, and sends one per idempotency key. */
function startProvider(): Provider {
  const mails = new Map<string, string>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { to } = await request.json();
      mails.set(request.headers.get("idempotency-key")!, to[0]);
      return Response.json({ id: crypto.randomUUID() });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    mails,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/**
 * Sends a campaign while its worker is killed three times, Postgres with it twice, and the campaign
 * is paused twice. The real engine, worker and server take part.
 */
export async function runKilledCampaign(recipients: number): Promise<KilledCampaign> {
  await using server = await startOwnServer({ durable: true });
  await using world = await createSendWorld({ db: server.db });
  await using provider = startProvider();
  const campaignId = await createCampaign(world, { recipients, url: provider.url });
  const started = performance.now();
  await change(world, "start", [campaignId, JSON.stringify({ now: true })]);
  const audienceMs = await fixAudience(world, campaignId);
  await using _work = workCampaigns(world.sql as never, () => {});
  await using run = new Run({ server, world, provider, campaignId });
  for (const [share, kind] of disturbances) {
    await run.until(() => provider.mails.size >= share * recipients);
    if (kind === "pause") await run.pause();
    else await run.kill(kind === "crash");
  }
  await run.until(async () => (await readState(world, campaignId)) === "completed");
  return {
    ...await readResult(world, campaignId),
    mails: provider.mails.size,
    addresses: new Set(provider.mails.values()).size,
    mailsWhilePaused: run.mailsWhilePaused,
    kills: disturbances.filter(([, kind]) => kind !== "pause").length,
    pauses: disturbances.filter(([, kind]) => kind === "pause").length,
    audienceMs,
    totalMs: performance.now() - started,
  };
}

interface Parts {
  server: OwnServer;
  world: SendWorld;
  provider: Provider;
  campaignId: string;
}

/** A campaign on its way, with a worker that is started again whenever it has ended. */
class Run implements AsyncDisposable {
  mailsWhilePaused = 0;
  readonly #parts: Parts;
  #child: Deno.ChildProcess | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lets the worker send until something holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!await holds()) {
      if (this.#child === undefined) {
        const child = spawnSender(this.#parts.world);
        this.#child = child;
        void child.status.then(() => {
          if (this.#child === child) this.#child = undefined;
        });
      }
      await nextTurn(20);
    }
  }

  /** Kills the worker, and Postgres with it; what was claimed is claimed again at once. */
  async kill(withServer: boolean): Promise<void> {
    const { server, world: { sql } } = this.#parts;
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) {
      child.kill("SIGKILL");
      await child.status;
    }
    if (withServer) await server.restart("crash");
    const sessions = async () =>
      (await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'send-test'`).length;
    while (await sessions() > 0);
    // As if the time of the leases had passed.
    await sql`update private.send_queue set lease_until = now() where lease_until is not null`;
    while (
      (await sql<{ count: number }[]>`select private.expire_send_claims() as count`)[0]!.count > 0
    );
  }

  /** Pauses the campaign for four seconds, and counts the mails of the last two. */
  async pause(): Promise<void> {
    const { world, provider, campaignId } = this.#parts;
    await change(world, "pause", [campaignId]);
    const paused = performance.now();
    await this.until(() => performance.now() > paused + 2000);
    const before = provider.mails.size;
    await this.until(() => performance.now() > paused + 4000);
    this.mailsWhilePaused += provider.mails.size - before;
    await change(world, "resume", [campaignId]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.kill("SIGKILL");
    await child.status;
  }
}

function nextTurn(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function createCampaign(
  world: SendWorld,
  { recipients, url }: { recipients: number; url: string },
): Promise<string> {
  const { sql, workspaceId, templateId, topicId } = world;
  const senderId = await world.addSender(0, { config: { base_url: url }, maxConcurrency: 100 });
  const [segment] = await sql<{ id: string }[]>`
    insert into public.segments (workspace_id, name, kind, members)
    values (${workspaceId}, 'All', 'static', ${recipients}) returning id`;
  await sql`
    insert into public.send_settings (workspace_id, campaign_confirm_above)
    values (${workspaceId}, 10000000)`;
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Hooks', 'https://example.com', '{campaign.*}')`;
  await sql`
    with people as (
      insert into public.customers (workspace_id, id, email)
      select ${workspaceId}, private.uuid_v7(clock_timestamp(), n), 'person-' || n || '@example.com'
      from generate_series(1, ${recipients}) as n
      returning id
    )
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select ${workspaceId}, ${segment!.id}, 0, p.id, now() from people as p`;
  await sql`analyze`;
  const fields = {
    name: "Sale",
    segment: segment!.id,
    template: templateId,
    sender: senderId,
    topic: topicId,
  };
  return await change(world, "create", [JSON.stringify(fields)]);
}

/** Calls a function of campaigns with a key's rights; returns its result. */
async function change(
  { sql, workspaceId }: SendWorld,
  verb: "create" | "start" | "pause" | "resume",
  args: readonly string[],
): Promise<string> {
  const values = args.map((arg, index) =>
    `$${index + 2}::text::${arg.startsWith("{") ? "jsonb" : "uuid"}`
  ).join(", ");
  return await sql.begin(async (tx) => {
    await tx`
      select
        set_config('signalpost.workspace_id', ${workspaceId}, true),
        set_config('signalpost.scopes', 'campaigns:write', true)`;
    const [row] = await tx.unsafe<{ result: string }[]>(
      `select private.${verb}_campaign($1::text::uuid, ${values})::text as result`,
      [workspaceId, ...args],
    );
    return row!.result;
  });
}

/** Works until the audience is fixed; returns the milliseconds. */
async function fixAudience(world: SendWorld, campaignId: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    await world.sql`select private.work_campaigns()`;
    const [row] = await world.sql<{ recipients: string | null }[]>`
      select recipients from public.campaigns where id = ${campaignId}`;
    if (row!.recipients !== null) return performance.now() - started;
  }
}

async function readState({ sql }: SendWorld, campaignId: string): Promise<string> {
  const [row] = await sql<{ state: string }[]>`
    select state from public.campaigns where id = ${campaignId}`;
  return row!.state;
}

async function readResult(
  { sql }: SendWorld,
  campaignId: string,
): Promise<Pick<KilledCampaign, "outcome" | "events">> {
  const [row] = await sql<{ outcome: KilledCampaign["outcome"] }[]>`
    select private.campaign_outcome(c) as outcome from public.campaigns as c
    where c.id = ${campaignId}`;
  const events = await sql<{ event_type: string }[]>`
    select event_type from public.webhook_messages order by created_at, id`;
  return { outcome: row!.outcome, events: events.map(({ event_type }) => event_type) };
}
