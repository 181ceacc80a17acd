import type postgres from "postgres";
import type { WorkspaceSize } from "./workspace_size.ts";

/**
 * 100 topics that every tenth customer said something about, and half as many suppressions as
 * customers, one in 1,000 of them for a complaint, 200 templates of three versions, and 200 views.
 * Other workspaces have ten topics, templates and views.
 */
export async function insertLargeConsent(
  sql: postgres.Sql,
  { workspaceId, size }: { workspaceId: string; size: WorkspaceSize },
): Promise<void> {
  await sql`
    insert into public.topics (workspace_id, key, name, default_state)
    select w.id, 'topic-' || n, 'Topic ' || n, 'subscribed'
    from public.workspaces as w, generate_series(1, 100) as n
    where w.id = ${workspaceId} or n <= 10`;
  await sql`
    insert into public.views (workspace_id, list, name)
    select w.id, (array['customers', 'events', 'messages'])[1 + n % 3], 'View ' || n
    from public.workspaces as w, generate_series(1, 200) as n
    where w.id = ${workspaceId} or n <= 10`;
  await sql`
    with made as (
      insert into public.templates (workspace_id, key, name, version)
      select w.id, 'template-' || n, 'Template ' || n, 3
      from public.workspaces as w, generate_series(1, 200) as n
      where w.id = ${workspaceId} or n <= 10
      returning workspace_id, id
    )
    insert into public.template_versions (
      workspace_id, template_id, version, subject, text, is_text_generated, variables, warnings,
      has_unsubscribe
    )
    select m.workspace_id, m.id, v, 'Hello', 'Hello', false, '{}', '{}', false
    from made as m, generate_series(1, 3) as v`;
  await sql`
    insert into private.consents (
      workspace_id, channel, address_hash, topic_id, subscribed, source, changed_at
    )
    select
      c.workspace_id, 'email', private.address_hash(c.workspace_id, 'email', c.email), t.id,
      t.key < 'topic-5', 'api', now()
    from public.customers as c
    join public.topics as t on t.workspace_id = c.workspace_id
    where c.workspace_id = ${workspaceId} and c.email like '%0@%'
    on conflict do nothing`;
  await sql`
    insert into public.suppressions (
      workspace_id, channel, address_hash, address, reason, source, created_at
    )
    select
      ${workspaceId}, 'email',
      private.address_hash(${workspaceId}, 'email', 'suppressed' || n || '@example.com'),
      'suppressed' || n || '@example.com',
      case when n % 1000 = 0 then 'complaint' else 'import' end, 'import', now()
    from generate_series(1, ${Math.ceil(size.customers / 2)}::integer) as n`;
}
