import type { ApiWorld } from "../service/api_world.ts";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import { ingestEntries } from "../data/ingest.ts";
import { type AlertEntities, insertAlerts } from "./insert_alerts.ts";
import { type CampaignEntities, insertCampaigns } from "./insert_campaigns.ts";
import { insertJourney, type JourneyEntities } from "./insert_journey.ts";

/** One of everything in a workspace of its own. */
export interface Entities extends JourneyEntities, CampaignEntities, AlertEntities {
  workspaceId: string;
  customerId: string;
  eventId: string;
  deviceToken: string;
  destinationId: string;
  deliveryId: string;
  messageId: string;
  jobId: string;
  apiKeyId: string;
  /** A member with the role viewer. */
  memberId: string;
  invitationId: string;
  sourceId: string;
  receiptId: string;
  rejectedEntryId: string;
  auditEntryId: string;
  templateId: string;
  topicId: string;
  viewId: string;
  /** Of the provider `inbox`, without credentials. */
  senderId: string;
  /** To the customer, waiting. */
  sendId: string;
  /** Of grace@example.com. */
  suppressionId: string;
  /** A static segment with the customer in it. */
  segmentId: string;
}

/** Creates one of everything, so that each route has something to work on. */
export async function createApiEntities(world: ApiWorld): Promise<Entities> {
  const { sql } = world;
  const workspaceId = await world.createWorkspace();
  const destinationId = await insertDestination(world, workspaceId);
  const person = await ingestPerson(world, workspaceId);
  const memberId = await addViewer(world, workspaceId);
  const row = await insertHistory(world, { workspaceId, destinationId });
  await sql`select private.fold_usage()`;
  await sql`
    insert into public.event_definitions (workspace_id, name, owner)
    values (${workspaceId}, 'order_created', 'Shop')`;
  await sql`
    insert into public.event_names (workspace_id, name, events, first_seen_at, last_seen_at)
    values (${workspaceId}, ${ownEventName({ workspaceId })}, 1, now(), now())`;
  const consent = await insertConsent(world, workspaceId);
  const segmentId = await insertSegment(world, workspaceId, person.customerId);
  const viewId = await insertView(world, workspaceId);
  const journey = await insertJourney(world, { workspaceId, customerId: person.customerId });
  const send = await insertSend(world, { workspaceId, ...person, ...consent });
  const campaigns = await insertCampaigns(world, {
    workspaceId,
    segmentId,
    ...person,
    ...consent,
    ...send,
  });
  const alerts = await insertAlerts(world, { workspaceId, destinationId });
  return {
    ...row,
    ...alerts,
    ...person,
    ...consent,
    ...send,
    ...journey,
    ...campaigns,
    workspaceId,
    destinationId,
    memberId,
    segmentId,
    viewId,
  };
}

/** An invitation, a key, a delivery, a job, a source, a receipt and a refused entry. */
async function insertHistory(
  { sql }: ApiWorld,
  { workspaceId, destinationId }: Record<"workspaceId" | "destinationId", string>,
): Promise<Entities> {
  const { hash, lastFour } = await generateApiKey();
  const [row] = await sql<Entities[]>`
    with invitation as (
      insert into public.invitations (workspace_id, email, role)
      values (${workspaceId}, 'invited@example.com', 'viewer')
      returning id
    ), api_key as (
      insert into private.api_keys (hash, workspace_id, name, last_four, scopes)
      values (${hash}, ${workspaceId}, 'Shop', ${lastFour}, '{track:write}')
      returning id
    ), message as (
      select m.* from public.webhook_messages as m
      where m.workspace_id = ${workspaceId} and m.event_type = 'order_created'
    ), delivery as (
      insert into public.deliveries (
        workspace_id, id, destination_id, message_id, message_created_at, event_type,
        attempt_number, trigger, ok, status_code, response_snippet, response_headers,
        duration_ms, attempted_at
      )
      select
        ${workspaceId}, private.uuid_v7(t.at), ${destinationId}, m.id, m.created_at, m.event_type,
        1, 'event', false, 500, 'out of order',
        '{"content-type": "text/plain", "x-request-id": "req_81"}', 12, t.at
      from message as m, date_trunc('milliseconds', clock_timestamp()) as t (at)
      returning id, message_id
    ), job as (
      insert into public.jobs (workspace_id, kind, destination_id, since, until, total)
      values (${workspaceId}, 'replay', ${destinationId}, now() - interval '1 hour', now(), 3)
      returning id
    ), source as (
      insert into public.inbound_sources (workspace_id, name, scheme, mapping)
      values (${workspaceId}, 'Shop', 'service', '{"name": "/type", "external_id": ["/user"]}')
      returning id
    ), receipt as (
      insert into public.inbound_receipts (
        workspace_id, source_id, id, received_at, is_verified, outcome, status_code, body,
        body_bytes, request_id
      )
      select
        ${workspaceId}, s.id, private.uuid_v7(t.at), t.at, true, 'accepted', 200, '{}', 2,
        gen_random_uuid()
      from source as s, date_trunc('milliseconds', clock_timestamp()) as t (at)
      returning id
    ), rejected as (
      insert into public.rejected_entries (
        workspace_id, id, rejected_at, origin, entry, code, error, request_id
      )
      select
        ${workspaceId}, private.uuid_v7(t.at), t.at, 'track',
        '{"external_id": "user-1", "name": "order_created"}', 'invalid_input', 'was refused',
        gen_random_uuid()
      from date_trunc('milliseconds', clock_timestamp()) as t (at)
      returning id
    ), change as (
      insert into public.audit_log (workspace_id, actor_kind, action, details)
      values (${workspaceId}, 'system', 'member.withdraw', '{}') returning id
    )
    select
      s.id as "sourceId", r.id as "receiptId", e.id as "rejectedEntryId",
      i.id as "invitationId", k.id as "apiKeyId", d.id as "deliveryId",
      d.message_id as "messageId", j.id as "jobId", c.id as "auditEntryId"
    from
      invitation as i, api_key as k, delivery as d, job as j, source as s, receipt as r,
      rejected as e, change as c`;
  return row!;
}

async function insertSegment(
  { sql }: ApiWorld,
  workspaceId: string,
  customerId: string,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with segment as (
      insert into public.segments (workspace_id, key, name, kind, members)
      values (${workspaceId}, 'circle', 'Friends', 'static', 1)
      returning id
    ), member as (
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      select ${workspaceId}, s.id, 0, ${customerId}, now() from segment as s
    )
    select s.id from segment as s`;
  return row!.id;
}

async function insertView({ sql }: ApiWorld, workspaceId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.views (workspace_id, list, name, filters)
    values (${workspaceId}, 'customers', 'Ada', '{"q": "ada"}')
    returning id`;
  return row!.id;
}

async function addViewer(world: ApiWorld, workspaceId: string): Promise<string> {
  const userId = await world.createUser();
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${workspaceId}, ${userId}, 'viewer')`;
  return userId;
}

async function insertDestination({ sql }: ApiWorld, workspaceId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Warehouse', 'http://127.0.0.1:9/hooks', '{*}')
    returning id`;
  return row!.id;
}

/** A topic that ada@example.com joined, a suppression of another address, and a template. */
async function insertConsent({ sql }: ApiWorld, workspaceId: string) {
  const [topic] = await sql<{ id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values (${workspaceId}, 'newsletter', 'Newsletter', 'unsubscribed')
    returning id`;
  const change = {
    address: "ada@example.com",
    topic_id: topic!.id,
    subscribed: true,
    source: "api",
  };
  await sql`select private.set_consents(${workspaceId}, ${JSON.stringify([change])}::text::jsonb)`;
  const entry = { email: "grace@example.com", reason: "manual", source: "api" };
  await sql`select private.suppress(${workspaceId}, ${JSON.stringify([entry])}::text::jsonb)`;
  const [suppression] = await sql<{ id: string }[]>`
    select s.id from public.suppressions as s where s.workspace_id = ${workspaceId}`;
  const [template] = await sql<{ id: string }[]>`
    with template as (
      insert into public.templates (workspace_id, key, name, version)
      values (${workspaceId}, 'welcome', 'Welcome', 1)
      returning workspace_id, id, version
    )
    insert into public.template_versions (
      workspace_id, template_id, version, subject, html, text, is_text_generated, variables,
      warnings, has_unsubscribe
    )
    select t.workspace_id, t.id, 1, 'Hello', '<p>Hello</p>', 'Hello', true, '{}', '{}', false
    from template as t
    returning template_id as id`;
  return { templateId: template!.id, topicId: topic!.id, suppressionId: suppression!.id };
}

/** A sender, and a message to a customer that waits for it. */
async function insertSend(
  { sql }: ApiWorld,
  { workspaceId, templateId, customerId }: Record<
    "workspaceId" | "templateId" | "customerId",
    string
  >,
) {
  const [sender] = await sql<{ id: string }[]>`
    insert into public.senders (workspace_id, key, name, provider, from_address)
    values (${workspaceId}, 'main', 'Main', 'inbox', 'Acme <hello@acme.example>')
    returning id`;
  const send = {
    workspace_id: workspaceId,
    sender_id: sender!.id,
    template_id: templateId,
    customer_id: customerId,
  };
  const [row] = await sql<{ send_id: string }[]>`
    select send_id from private.create_sends(${JSON.stringify([send])}::text::jsonb)`;
  await sql`
    update public.sends set template_version = 1, facts = '{"now": "2026-11-22T10:00:00Z"}'
    where id = ${row!.send_id}`;
  return { senderId: sender!.id, sendId: row!.send_id };
}

async function ingestPerson({ sql }: ApiWorld, workspaceId: string) {
  const entries = [
    { kind: "event" as const, name: "page_viewed", anon_id: "browser-1" },
    {
      kind: "identify" as const,
      external_id: "user-1",
      anon_id: "browser-1",
      profile: { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" },
      attributes: { tier: "gold" },
    },
    { kind: "event" as const, name: "order_created", external_id: "user-1" },
  ];
  let stored: { event_id: string; customer_id: string } | undefined;
  for (const entry of entries) {
    const [result] = await ingestEntries(sql, [{ ...entry, workspace_id: workspaceId }]);
    if (!result?.ok) throw new Error("Cannot make a person: an entry was refused");
    stored = result;
  }
  const deviceToken = `token-${crypto.randomUUID()}`;
  const { event_id: eventId, customer_id: customerId } = stored!;
  await sql`
    insert into public.device_tokens (workspace_id, token, customer_id, platform)
    values (${workspaceId}, ${deviceToken}, ${customerId}, 'ios')`;
  return { eventId, customerId, deviceToken };
}

/** The name of an event that was seen in no other workspace. */
export function ownEventName({ workspaceId }: Pick<Entities, "workspaceId">): string {
  return `seen_in_${workspaceId}`;
}
