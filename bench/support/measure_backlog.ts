import { ingestEntries } from "../../testing/data/ingest.ts";
import { describeMachine } from "./machine.ts";
import { type HostedService, startHostedService } from "./hosted_service.ts";
import { startReceiver } from "./processes.ts";
import { quantile } from "./quantile.ts";
import { formatCount, print } from "./table.ts";
import { createTenant, type Tenant } from "./tenants.ts";

const customers = 1_000;
const page = 500;
const perSecond = 20;
const seconds = 20;
const patienceMs = 60_000;

/** A workspace with a template, and a sender whose provider responds as the path says. */
interface Mailer extends Tenant {
  sender: string;
}

/**
 * The time from `POST /sends` to the hand-over to the provider, alone and beside another workspace
 * with many messages in its queue, while another sender of the same workspace is down.
 *
 * @param args number of messages in the other queue. @default 100,000
 */
export async function measureBacklog([count = "100000"]: string[]): Promise<void> {
  print(describeMachine());
  await using service = await startHostedService();
  await using receiver = await startReceiver();
  const own = await createMailer(service, "own", `${receiver.url}/ok`);
  const other = await createMailer(service, "other", `${receiver.url}/ok`);
  const alone = await measure(service, own);
  const down = await createSender(own, "down", `${receiver.url}/fail`);
  await queue(service, { ...own, sender: down }, customers);
  await queue(service, other, Number(count));
  const beside = await measure(service, own);
  const left = await countQueued(service, other);
  print(
    `From request to hand-over, p95: ${quantile(alone, 0.95)} ms alone, ${
      quantile(beside, 0.95)
    } ms beside ` +
      `${formatCount(Number(count))} messages of another workspace (${formatCount(left)} of ` +
      `them left after) and a sender that is down`,
  );
}

async function createMailer(service: HostedService, name: string, url: string): Promise<Mailer> {
  const tenant = await createTenant(service, `${name}@example.com`);
  const { workspaceId, post } = tenant;
  await service.sql`update public.workspaces set plan_id = 'pro' where id = ${workspaceId}`;
  await post("/templates", {
    key: "hello",
    name: "Hello",
    subject: "Hello {{ customer.first_name }}",
    html: "<p>Hello {{ customer.first_name }}</p>",
  });
  await ingestEntries(
    service.sql as never,
    Array.from({ length: customers }, (_, n) => ({
      workspace_id: workspaceId,
      kind: "identify" as const,
      external_id: `user-${n}`,
      profile: { email: `user-${n}@example.com`, first_name: "Ada" },
    })),
  );
  return { ...tenant, sender: await createSender(tenant, "main", url) };
}

async function createSender({ post }: Tenant, key: string, base_url: string): Promise<string> {
  const { id } = await post<{ id: string }>("/senders", {
    key,
    name: key,
    provider: "resend",
    from: "Shop <shop@example.com>",
    config: { api_key: "secret", base_url },
  });
  return id;
}

/** Queues messages as a campaign does, without calls of the api. */
async function queue({ sql }: HostedService, mailer: Mailer, count: number): Promise<void> {
  for (let done = 0; done < count; done += page) {
    await sql`
      select count(*) from private.create_sends(
        (
          select jsonb_agg(jsonb_build_object(
            'workspace_id', c.workspace_id, 'customer_id', c.id, 'template_id', t.id,
            'sender_id', ${mailer.sender}::uuid
          ))
          from (
            select * from public.customers as c where c.workspace_id = ${mailer.workspaceId}
            limit ${Math.min(page, count - done)}
          ) as c
          join public.templates as t on t.workspace_id = c.workspace_id
        ),
        now()
      )`;
  }
}

/** Requests messages at a steady rate; latencies in ms. */
async function measure({ sql, urls }: HostedService, mailer: Mailer): Promise<number[]> {
  const startedAt = performance.now();
  const ids: string[] = [];
  const calls: Promise<unknown>[] = [];
  const requested = new Map<string, number>();
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = startedAt + n * 1000 / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push((async () => {
      const at = Date.now();
      const id = await requestSend(urls.api!, mailer, n);
      requested.set(id, at);
      ids.push(id);
    })());
  }
  await Promise.all(calls);
  const until = performance.now() + patienceMs;
  for (;;) {
    const rows = await sql<{ id: string; sent_at: Date }[]>`
      select s.id, s.sent_at from public.sends as s
      where s.workspace_id = ${mailer.workspaceId} and s.state = 'sent'
        and s.id::text in (select jsonb_array_elements_text(${sql.json(ids)}))`;
    if (rows.length === ids.length || performance.now() > until) {
      const latencies = rows.map(({ id, sent_at }) => sent_at.getTime() - requested.get(id)!);
      // Messages that are not handed over by now count with the maximum.
      while (latencies.length < ids.length) latencies.push(patienceMs);
      return latencies;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function requestSend(api: string, { token, workspaceId, sender }: Mailer, n: number) {
  const response = await fetch(`${api}/sends`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "x-workspace-id": workspaceId,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      template: "hello",
      sender,
      external_id: `user-${n % customers}`,
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`Cannot measure: POST /sends: ${JSON.stringify(body)}`);
  return body.send_id as string;
}

async function countQueued({ sql }: HostedService, { workspaceId }: Mailer): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from public.sends
    where workspace_id = ${workspaceId} and state = 'queued'`;
  return row!.count;
}
