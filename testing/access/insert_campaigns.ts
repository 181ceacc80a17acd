import type { ApiWorld } from "../service/api_world.ts";

async function copyNeeds(
  { sql }: ApiWorld,
  { workspaceId, segmentId, templateId, senderId }: Needs,
) {
  const [row] = await sql<{ segmentId: string; templateId: string; senderId: string }[]>`
    with segment as (
      insert into public.segments (workspace_id, name, kind, members)
      values (${workspaceId}, 'Audience', 'static', 1) returning id
    ),
    member as (
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      select m.workspace_id, s.id, 0, m.customer_id, now()
      from public.segment_members as m, segment as s
      where m.workspace_id = ${workspaceId} and m.segment_id = ${segmentId}
      on conflict do nothing
    ),
    template as (
      insert into public.templates (workspace_id, name, version)
      values (${workspaceId}, 'Sale', 1) returning id
    ),
    version as (
      insert into public.template_versions (
        workspace_id, template_id, version, subject, html, text, is_text_generated, variables,
        warnings, has_unsubscribe
      )
      select
        v.workspace_id, t.id, 1, v.subject, v.html, v.text, v.is_text_generated, v.variables,
        v.warnings, v.has_unsubscribe
      from public.template_versions as v, template as t
      where v.workspace_id = ${workspaceId} and v.template_id = ${templateId} and v.version = 1
    ),
    sender as (
      insert into public.senders (workspace_id, name, provider, from_address, config)
      select workspace_id, 'Shop', provider, from_address, config
      from public.senders where workspace_id = ${workspaceId} and id = ${senderId}
      returning id
    )
    select s.id as "segmentId", t.id as "templateId", r.id as "senderId"
    from segment as s, template as t, sender as r`;
  return row!;
}

/** Campaigns in a workspace. */
export interface CampaignEntities {
  /** Scheduled for the next year; to a segment of one customer. */
  campaignId: string;
  /** Sending, to one customer, who is still waiting. */
  sendingCampaignId: string;
  pausedCampaignId: string;
}

type Needs = Record<"workspaceId" | "segmentId" | "templateId" | "senderId" | "customerId", string>;

/** Makes a campaign in each state that a call needs, with a segment, template and sender of its own. */
export async function insertCampaigns(
  world: ApiWorld,
  needs: Needs,
): Promise<CampaignEntities> {
  const { sql } = world;
  const { workspaceId, customerId } = needs;
  // Other calls delete the originals, and nothing deletes what a campaign needs.
  const { segmentId, templateId, senderId } = await copyNeeds(world, needs);
  const rows = await sql<{ id: string; state: string }[]>`
    insert into public.campaigns (
      workspace_id, name, segment_id, template_id, sender_id, send_at, state, recipients
    )
    select
      ${workspaceId}, 'Sale ' || s.state, ${segmentId}, ${templateId}, ${senderId},
      now() + interval '1 year', s.state, case when s.state <> 'scheduled' then 1 end
    from (values ('scheduled'), ('sending'), ('paused')) as s (state)
    returning id, state`;
  await sql`
    insert into private.campaign_jobs (workspace_id, campaign_id, phase, due_at)
    select c.workspace_id, c.id, case c.state when 'scheduled' then 'audience' else 'feed' end, 'infinity'
    from public.campaigns as c where c.workspace_id = ${workspaceId}`;
  await sql`
    insert into private.campaign_recipients (
      workspace_id, campaign_id, customer_id, address_hash, due_at
    )
    select c.workspace_id, c.id, ${customerId}, sha256('ada'), now()
    from public.campaigns as c where c.workspace_id = ${workspaceId} and c.recipients = 1`;
  await sql`
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    select c.workspace_id, c.id, 0, 'recipients', 1
    from public.campaigns as c where c.workspace_id = ${workspaceId} and c.recipients = 1`;
  const idOf = (state: string) => rows.find((row) => row.state === state)!.id;
  return {
    campaignId: idOf("scheduled"),
    sendingCampaignId: idOf("sending"),
    pausedCampaignId: idOf("paused"),
  };
}
