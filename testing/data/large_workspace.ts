import type postgres from "postgres";
import { insertHistory, selectBusiest } from "./large_history.ts";
import { insertLargeInbound } from "./large_inbound.ts";
import {
  insertMissed,
  insertNeighbours,
  insertSessions,
  insertTeam,
  insertWork,
} from "./large_tenants.ts";
import { insertLargeAlerts } from "./large_alerts.ts";
import { insertLargeConsent } from "./large_consent.ts";
import { insertLargeSends } from "./large_sends.ts";
import { insertLargeJourneys } from "./large_journeys.ts";
import { insertLargeCampaigns } from "./large_campaigns.ts";
import { insertLargeSegments } from "./large_segments.ts";
import { insertLargeTotals } from "./large_totals.ts";
import type { WorkspaceSize } from "./workspace_size.ts";

/** A workspace with a history of 90 days, and what of it a reader may ask for. */
export interface LargeWorkspace {
  workspaceId: string;
  /** Newest first, of all ages. */
  customerIds: string[];
  /** A customer with a hundredth of all events, and hundreds of tokens and merges. */
  busiestId: string;
  eventIds: string[];
  /** Events that a message was made of and delivered. */
  sentEventIds: string[];
  destinationIds: string[];
  deliveryIds: string[];
  messageIds: string[];
  jobIds: string[];
  rehearsalIds: string[];
  sourceIds: string[];
  templateIds: string[];
  topicIds: string[];
  campaignIds: string[];
  journeyIds: string[];
  runIds: string[];
  segmentIds: string[];
  senderIds: string[];
  sendIds: string[];
  /** With the sources they came to. */
  receipts: { id: string; source_id: string }[];
  rejectedEntryIds: string[];
  /** Of one of the fifty who changed things. */
  actorId: string;
  auditEntryIds: string[];
}

/**
 * Fills a workspace with the rows that the service would have stored, in one statement per table.
 * Ids carry their time; partitions of the past and statistics of the planner exist. Deliveries are
 * those of the last 29 days; one in 50 failed. Names follow a long tail: the rarest is one in
 * 100,000.
 */
export async function fillLargeWorkspace(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<LargeWorkspace> {
  await createPastPartitions(sql);
  await insertHistory(sql, { workspaceId, size });
  await insertLargeTotals(sql, workspaceId);
  await insertLargeInbound(sql, { workspaceId, size });
  await insertNeighbours(sql, size);
  await insertTeam(sql, { workspaceId, size });
  await insertSessions(sql);
  await insertWork(sql, { workspaceId, size });
  await insertMissed(sql, { workspaceId, size });
  await insertLargeConsent(sql, { workspaceId, size });
  await insertLargeSegments(sql, workspaceId);
  await insertLargeSends(sql, { workspaceId, size });
  await insertLargeJourneys(sql, workspaceId);
  await insertLargeCampaigns(sql, workspaceId);
  await insertLargeAlerts(sql, workspaceId);
  await vacuum(sql);
  return await readSamples(sql, workspaceId);
}

/** For the planner. Not the catalogs, which would take as long again. */
async function vacuum(sql: postgres.Sql): Promise<void> {
  const [row] = await sql`
    select string_agg(c.oid::regclass::text, ', ') as tables
    from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'p') and not c.relispartition`;
  await sql.unsafe(`vacuum (analyze) auth.users, auth.sessions, ${row!.tables}`);
}

/** Creates the partitions of the time before the database was made. */
export async function createPastPartitions(sql: postgres.Sql): Promise<void> {
  await sql`
    select private.create_partition('events', m, m + interval '1 month')
    from generate_series(
      date_trunc('month', now(), 'UTC') - interval '4 months', date_trunc('month', now(), 'UTC'),
      interval '1 month'
    ) as m`;
  await sql`
    select private.create_partition(p.table_name, d, d + interval '1 day')
    from private.partition_policies as p
    cross join lateral generate_series(
      date_trunc('day', now() - p.keep, 'UTC'), date_trunc('day', now(), 'UTC'), interval '1 day'
    ) as d
    where p.step = 'day'`;
}

async function readSamples(sql: postgres.Sql, workspaceId: string): Promise<LargeWorkspace> {
  const ids = async (query: postgres.PendingQuery<{ id: string }[]>) =>
    (await query).map(({ id }) => id);
  const [busiest] = await selectBusiest(sql, workspaceId);
  const [actorId] = await ids(sql`
    select a.actor_id as id from public.audit_log as a
    where a.workspace_id = ${workspaceId} limit 1`);
  return {
    workspaceId,
    busiestId: busiest!.id,
    actorId: actorId!,
    auditEntryIds: await ids(sql`
      select a.id from public.audit_log as a where a.workspace_id = ${workspaceId}
      order by md5(a.id::text) limit 500`),
    customerIds: await ids(sql`
      select c.id from public.customers as c where c.workspace_id = ${workspaceId}
      order by md5(c.id::text) limit 500`),
    eventIds: await ids(sql`
      select e.id from public.events as e tablesample system (0.5)
      where e.workspace_id = ${workspaceId} limit 500`),
    sentEventIds: await ids(sql`
      select m.body::jsonb ->> 'event_id' as id from public.webhook_messages as m
      where m.workspace_id = ${workspaceId} and m.body like '%"event_id"%'`),
    senderIds: await ids(sql`
      select o.id from public.senders as o where o.workspace_id = ${workspaceId}`),
    sendIds: await ids(sql`
      select s.id from public.sends as s tablesample system (5)
      where s.workspace_id = ${workspaceId} limit 500`),
    destinationIds: await ids(sql`
      select d.id from public.destinations as d where d.workspace_id = ${workspaceId}`),
    deliveryIds: await ids(sql`
      select d.id from public.deliveries as d tablesample system (1)
      where d.workspace_id = ${workspaceId} limit 500`),
    messageIds: await ids(sql`
      select m.id from public.webhook_messages as m tablesample system (1)
      where m.workspace_id = ${workspaceId} limit 500`),
    jobIds: await ids(sql`select j.id from public.jobs as j where j.workspace_id = ${workspaceId}`),
    rehearsalIds: await ids(sql`
      select h.id from public.rehearsals as h where h.workspace_id = ${workspaceId}`),
    sourceIds: await ids(sql`
      select s.id from public.inbound_sources as s
      where s.workspace_id = ${workspaceId} order by s.id`),
    templateIds: await ids(sql`
      select t.id from public.templates as t where t.workspace_id = ${workspaceId}`),
    campaignIds: await ids(sql`
      select c.id from public.campaigns as c where c.workspace_id = ${workspaceId} order by c.id`),
    journeyIds: await ids(sql`
      select j.id from public.journeys as j where j.workspace_id = ${workspaceId} order by j.id`),
    runIds: await ids(sql`
      select r.id from public.journey_runs as r where r.workspace_id = ${workspaceId}
      order by md5(r.id::text) limit 500`),
    segmentIds: await ids(sql`
      select s.id from public.segments as s where s.workspace_id = ${workspaceId} order by s.id`),
    topicIds: await ids(sql`
      select t.id from public.topics as t where t.workspace_id = ${workspaceId}`),
    receipts: await sql<LargeWorkspace["receipts"]>`
      select r.id, r.source_id from public.inbound_receipts as r
      where r.workspace_id = ${workspaceId} order by md5(r.id::text) limit 500`,
    rejectedEntryIds: await ids(sql`
      select r.id from public.rejected_entries as r
      where r.workspace_id = ${workspaceId} order by md5(r.id::text) limit 500`),
  };
}
