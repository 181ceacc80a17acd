import assert from "node:assert/strict";
import type postgres from "postgres";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";

/** A workspace with all that a campaign needs, and a clock of the test's own. */
export interface CampaignWorld {
  db: TestDatabase;
  sql: postgres.Sql;
  workspaceId: string;
  segmentId: string;
  templateId: string;
  senderId: string;
  topicId: string;
  /** Milliseconds; steps and sends take this as the time. */
  now: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The next year, so that every day of it is in the future. */
const year = new Date().getUTCFullYear() + 1;

/** Returns a time of next year: `nextYear("03-02T09:00")`. */
export function nextYear(time: string): string {
  return `${year}-${time}`;
}

/** 09:00 in Berlin. */
export const start = Date.parse(nextYear("03-02T08:00:00Z"));

/** Creates a workspace in Berlin with a topic that people are in, a template, a sender and a list. */
export async function createCampaignWorld(): Promise<CampaignWorld> {
  const db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await sql`update public.workspaces set timezone = 'Europe/Berlin' where id = ${workspaceId}`;
  const [topic] = await sql<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'news', 'News', 'subscribed') returning id`;
  const templateId = await insertTemplate(sql, workspaceId, "sale");
  const [sender] = await sql<{ id: string }[]>`
    insert into public.senders (
      workspace_id, key, name, provider, from_address, rate_per_second, max_concurrency
    )
    values (${workspaceId}, 'shop', 'Shop', 'resend', 'shop@example.com', 1000, 100) returning id`;
  const segmentId = await insertSegment(sql, workspaceId, "all");
  return {
    db,
    sql,
    workspaceId,
    segmentId,
    templateId,
    senderId: sender!.id,
    topicId: topic!.id,
    now: start,
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

/** A template with a link to unsubscribe, unless told otherwise. */
export async function insertTemplate(
  sql: postgres.Sql,
  workspaceId: string,
  key: string,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with template as (
      insert into public.templates (workspace_id, key, name, version)
      values (${workspaceId}, ${key}, ${key}, 1)
      returning workspace_id, id
    )
    insert into public.template_versions (
      workspace_id, template_id, version, subject, html, text, is_text_generated, variables,
      warnings, has_unsubscribe
    )
    select workspace_id, id, 1, 'Hello', '<p>{{ unsubscribe_url }}</p>', 'Hello', true, '{}', '{}',
      ${!key.startsWith("bare")}
    from template
    returning template_id as id`;
  return row!.id;
}

/** An empty static segment. */
export async function insertSegment(
  sql: postgres.Sql,
  workspaceId: string,
  key: string,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.segments (workspace_id, key, name, kind)
    values (${workspaceId}, ${key}, ${key}, 'static') returning id`;
  return row!.id;
}

/** A customer to insert. */
export interface Person {
  email?: string | null;
  timezone?: string | null;
}

/** Inserts customers as members of a segment (default: the world's); returns their ids in order. */
export async function addPeople(
  world: CampaignWorld,
  people: readonly Person[],
  segmentId = world.segmentId,
): Promise<string[]> {
  const { sql, workspaceId } = world;
  const rows = await sql<{ id: string }[]>`
    with people as (
      insert into public.customers (workspace_id, id, email, timezone)
      select ${workspaceId}, private.uuid_v7(clock_timestamp(), p.ordinality::int), p.email, p.timezone
      from rows from (
        jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb) as (email text, timezone text)
      ) with ordinality as p
      order by p.ordinality
      returning id
    ), members as (
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      select ${workspaceId}, ${segmentId}, 0, id, now() from people
    ), counted as (
      update public.segments set members = members + (select count(*) from people)
      where workspace_id = ${workspaceId} and id = ${segmentId}
    )
    select id from people order by id`;
  return rows.map(({ id }) => id);
}

/** So many people, each with an address of their own. */
export function crowd(count: number, of = "person"): Person[] {
  return Array.from({ length: count }, (_, n) => ({ email: `${of}-${n}@example.com` }));
}

/** Runs a statement as a key with campaigns:write. */
export async function act<Row extends object>(
  { sql, workspaceId }: CampaignWorld,
  statement: (tx: postgres.TransactionSql) => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  return await sql.begin(async (tx) => {
    await tx`
      select
        set_config('signalpost.workspace_id', ${workspaceId}, true),
        set_config('signalpost.scopes', 'campaigns:write customers:write', true)`;
    return await statement(tx);
  }) as readonly Row[];
}

/** Creates a campaign to the world's segment; returns its id. */
export async function createCampaign(
  world: CampaignWorld,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const campaign = {
    name: "Sale",
    segment: "all",
    template: "sale",
    sender: "shop",
    topic: "news",
    ...fields,
  };
  const [row] = await act(world, (tx) =>
    tx<{ id: string }[]>`
      select private.create_campaign(
        ${world.workspaceId}, ${JSON.stringify(campaign)}::text::jsonb
      ) as id`);
  return row!.id;
}

type Action = "start" | "pause" | "resume" | "cancel";

/** Changes the state of a campaign at the world's time. */
export async function change(
  world: CampaignWorld,
  campaignId: string,
  { action, options = {} }: { action: Action; options?: Record<string, unknown> },
): Promise<void> {
  const { workspaceId, now } = world;
  const hasOptions = action === "start" || action === "resume";
  await act(world, (tx) =>
    tx`
      select ${tx.unsafe(`private.${action}_campaign`)}(
        ${workspaceId}, ${campaignId}
        ${hasOptions ? tx`, ${JSON.stringify(options)}::text::jsonb` : tx``}, ${new Date(now)}
      )`);
}

/** Sends a campaign now. */
export async function send(
  world: CampaignWorld,
  campaignId: string,
  recipients?: number,
): Promise<void> {
  await change(world, campaignId, {
    action: "start",
    options: { now: true, ...(recipients !== undefined && { recipients }) },
  });
}

/** Does the steps that are due; returns how many. */
export async function work(world: CampaignWorld): Promise<number> {
  for (let steps = 0; steps < 5000; steps++) {
    const [row] = await world.sql<{ done: number }[]>`
      select private.work_campaigns(${new Date(world.now)}) as done`;
    if (row!.done === 0) {
      const failed = await world.sql<{ last_error: string }[]>`
        select last_error from private.campaign_jobs where last_error is not null`;
      assert.deepEqual([...failed], []);
      return steps;
    }
  }
  assert.fail("the steps do not come to an end");
}

/** Answer of the provider for an address; null: it takes the message. */
export type Refuse = (email: string) => string | null;

/** Hands over the sends that are due, as send-dispatch does; returns the addresses. */
export async function handOver(
  { sql, now }: CampaignWorld,
  refuse: Refuse = () => null,
): Promise<string[]> {
  const sent: string[] = [];
  const worker = crypto.randomUUID();
  for (;;) {
    const claimed = await sql<Claimed[]>`
      select claim, workspace_id, sender_id, send_id, template_version, email, skip_reason
      from private.claim_sends(${worker}, 500, p_now => ${new Date(now)})`;
    if (claimed.length === 0) return sent;
    const starts = claimed.filter((row) => row.skip_reason === null)
      .map(({ skip_reason: _, ...row }) => ({
        ...row,
        message_id: `<${row.send_id}@x>`,
        facts: {},
      }));
    const begun = await sql<{ send_id: string; decision: string; reason: string; until: Date }[]>`
      select send_id, decision, reason, until
      from private.begin_sends(${JSON.stringify(starts)}, ${new Date(now)})`;
    const decisions = new Map(begun.map((row) => [row.send_id, row]));
    const results = claimed.map((row, index) => {
      const decision = decisions.get(row.send_id);
      const refusal = decision?.decision === "go" ? refuse(row.email) : null;
      if (decision?.decision === "go" && refusal === null) sent.push(row.email);
      return {
        position: index + 1,
        claim: row.claim,
        workspace_id: row.workspace_id,
        sender_id: row.sender_id,
        send_id: row.send_id,
        attempted_at: new Date(now),
        is_sender_failure: false,
        ...toResult(decision, { skipReason: row.skip_reason, refusal }),
      };
    });
    await sql`select private.complete_sends(${JSON.stringify(results)}, ${new Date(now)})`;
  }
}

interface Claimed {
  claim: string;
  workspace_id: string;
  sender_id: string;
  send_id: string;
  template_version: number;
  email: string;
  skip_reason: string | null;
}

function toResult(
  decision: { decision: string; reason: string; until: Date } | undefined,
  { skipReason, refusal }: { skipReason: string | null; refusal: string | null },
) {
  if (decision === undefined) return { action: "skipped", reason: skipReason };
  switch (decision.decision) {
    case "go":
      return refusal === null ? { action: "sent", attempt: {} } : {
        action: refusal === "unknown" ? "unknown" : "failed",
        reason: refusal,
        attempt: {},
      };
    case "skip":
      return { action: "skipped", reason: decision.reason };
    default:
      return { action: "release", reason: decision.reason, next_attempt_at: decision.until };
  }
}

/** Works and hands over, step after step, until the campaign stops; returns the addresses. */
export async function runUntilEnd(
  world: CampaignWorld,
  campaignId: string,
  { refuse, steps = 1000 }: { refuse?: Refuse; steps?: number } = {},
): Promise<string[]> {
  const sent: string[] = [];
  for (let step = 0; step < steps; step++) {
    await work(world);
    sent.push(...await handOver(world, refuse));
    const { state } = await read(world, campaignId);
    if (state === "completed" || state === "cancelled" || state === "paused") return sent;
    const [job] = await world.sql<{ at: Date | null }[]>`
      select due_at as at from private.campaign_jobs
      where campaign_id = ${campaignId} and due_at < 'infinity'`;
    world.now = Math.max(world.now + 1000, job?.at?.getTime() ?? 0);
  }
  assert.fail(`the campaign did not end within ${steps} steps`);
}

export interface CampaignRow {
  state: string;
  reason: string | null;
  explanation: string | null;
  recipients: string | null;
  winner_variant: number | null;
  ended_at: Date | null;
}

/** A campaign as it is stored. */
export async function read(
  { sql, workspaceId }: CampaignWorld,
  campaignId: string,
): Promise<CampaignRow> {
  const [row] = await sql<CampaignRow[]>`
    select state, reason, explanation, recipients, winner_variant, ended_at
    from public.campaigns where workspace_id = ${workspaceId} and id = ${campaignId}`;
  return row!;
}

/** Outcome of a campaign, as campaign.completed shows it. */
export async function readOutcome({ sql, workspaceId }: CampaignWorld, campaignId: string) {
  const [row] = await sql<{ outcome: Outcome }[]>`
    select private.campaign_outcome(c) as outcome from public.campaigns as c
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId}`;
  return row!.outcome;
}

export interface Outcome {
  recipients: number;
  sent: number;
  skipped: Record<string, number>;
  failed: number;
  unknown: number;
}

/** Asserts that every recipient has exactly one outcome. */
export function assertAddsUp({ recipients, sent, skipped, failed }: Outcome): void {
  const handled = Object.values(skipped).reduce((sum, count) => sum + count, sent + failed);
  assert.equal(handled, recipients);
}

/** Listens to all service events of campaigns. */
export async function listen({ sql, workspaceId }: CampaignWorld): Promise<void> {
  await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Hooks', 'https://example.com', '{campaign.*}')`;
}

/** Payloads of the service events so far, in order. */
export async function readEvents(
  { sql, workspaceId }: CampaignWorld,
): Promise<[type: string, payload: Outcome & { campaign: { id: string; name: string } }][]> {
  const rows = await sql<{ event_type: string; body: string }[]>`
    select event_type, body from public.webhook_messages
    where workspace_id = ${workspaceId} order by created_at, id`;
  return rows.map(({ event_type, body }) => [event_type, JSON.parse(body).payload]);
}
