import type postgres from "postgres";
import type { WorkspaceSize } from "./workspace_size.ts";

/**
 * 50 senders, and for every customer two messages of the last 60 days, from one of 20 templates, ten
 * campaigns or ten journeys. One in 1,000 failed, and what is due waits. Other workspaces have a
 * sender. Most messages were delivered and a third was opened; few bounced or were clicked, and none
 * had a complaint or led somebody to unsubscribe.
 */
export async function insertLargeSends(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<void> {
  await sql`
    select private.create_partition('sends', m, m + interval '1 month')
    from generate_series(
      date_trunc('month', now(), 'UTC') - interval '3 months',
      date_trunc('month', now(), 'UTC') - interval '1 month', interval '1 month'
    ) as m`;
  await sql`
    insert into public.senders (workspace_id, key, name, provider, from_address)
    select w.id, 'sender-' || n, 'Sender ' || n, 'resend', 'hello@acme.example'
    from public.workspaces as w
    cross join lateral (
      select count(*) as senders from public.senders as o where o.workspace_id = w.id
    ) as o
    cross join lateral generate_series(1, 50 - o.senders) as n
    where w.id = ${workspaceId} or n = 1`;
  await insertSends(sql, { workspaceId, size });
  await sql`
    insert into private.send_queue (workspace_id, sender_id, send_id, due_at, is_marketing)
    select s.workspace_id, s.sender_id, s.id, s.queued_at, false
    from public.sends as s
    where s.workspace_id = ${workspaceId} and s.state = 'queued'`;
  await sql`
    insert into public.sender_stats (workspace_id, sender_id, hour, sent)
    select o.workspace_id, o.id, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 1
    from public.senders as o, generate_series(0, 24 * 7) as h
    where o.workspace_id = ${workspaceId}`;
}

async function insertSends(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<void> {
  const count = 2 * size.customers;
  await sql`
    with senders as (
      select array_agg(o.id) as ids from public.senders as o where o.workspace_id = ${workspaceId}
    ), templates as (
      select array_agg(t.id) as ids
      from (
        select t.id from public.templates as t where t.workspace_id = ${workspaceId} limit 20
      ) as t
    ), customers as (
      select array_agg(c.id) as ids from public.customers as c where c.workspace_id = ${workspaceId}
    )
    insert into public.sends (
      workspace_id, queued_at, id, state, reason, customer_id, email, template_id,
      template_version, sender_id, campaign_id, journey_id, attempts, sent_at, finished_at,
      feedback, feedback_at, opened_at, clicked_at
    )
    select
      ${workspaceId}, private.uuid_v7_time(i.id), i.id,
      case when n <= ${size.backlog} then 'queued' when n % 1000 = 0 then 'failed' else 'sent' end,
      case when n > ${size.backlog} and n % 1000 = 0 then 'rejected' end,
      c.ids[1 + n % cardinality(c.ids)], 'ada@example.com', t.ids[1 + n % cardinality(t.ids)], 3,
      o.ids[1 + n % cardinality(o.ids)],
      case when n % 2 = 0 then md5('campaign ' || n % 10)::uuid end,
      case when n % 2 = 1 then md5('journey ' || n % 10)::uuid end, '[]', i.at, i.at,
      f.feedback, case when f.feedback is not null then i.at end,
      case when f.feedback = 'delivered' and n % 3 = 0 then i.at end,
      case when f.feedback = 'delivered' and n % 900 = 0 then i.at end
    from generate_series(1, ${count}::integer) as n
    cross join senders as o
    cross join templates as t
    cross join customers as c
    cross join lateral (
      select a.at, private.uuid_v7(a.at) as id
      from (select now() - n * interval '60 days' / ${count}::integer as at) as a
    ) as i
    cross join lateral (
      select case
        when n > ${size.backlog} and n % 1000 = 1 then 'bounced'
        when n > ${size.backlog} and n % 1000 <> 0 then 'delivered'
      end as feedback
    ) as f`;
}
