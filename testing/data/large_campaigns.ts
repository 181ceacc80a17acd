import type postgres from "postgres";

/**
 * 300 campaigns with counts of twelve kinds, in three variants, of which some are not added up, and
 * 20,000 recipients of the first. Other workspaces have ten campaigns.
 */
export async function insertLargeCampaigns(sql: postgres.Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into public.campaigns (
      workspace_id, key, name, segment_id, template_id, sender_id, state, recipients
    )
    select w.id, 'campaign-' || n, 'Campaign ' || n, gen_random_uuid(), gen_random_uuid(),
      gen_random_uuid(), (array['draft', 'scheduled', 'completed'])[1 + n % 3], 20000
    from public.workspaces as w, generate_series(1, 300) as n
    where w.id = ${workspaceId} or n <= 10`;
  await sql`
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select c.workspace_id, c.id, v, k, 10
    from public.campaigns as c, generate_series(0, 2) as v, generate_series(1, 2) as n,
      unnest(array['recipients', 'sent', 'failed', 'unknown', 'skipped:unsubscribed', 'delivered',
        'bounced', 'complained', 'opened', 'clicked', 'unsubscribed', 'skipped:suppressed']) as k`;
  await sql`
    insert into private.campaign_recipients (
      workspace_id, campaign_id, customer_id, address_hash, due_at, state
    )
    select c.workspace_id, c.id, gen_random_uuid(), sha256(n::text::bytea), now(), 'queued'
    from public.campaigns as c, generate_series(1, 20000) as n
    where c.workspace_id = ${workspaceId} and c.key = 'campaign-1'`;
}
