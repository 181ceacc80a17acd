import type { ApiWorld } from "../service/api_world.ts";

/** Campaigns in a workspace. */
export interface CampaignEntities {
  /** Scheduled for the next year; to a segment of one customer. */
  campaignId: string;
  /** Sending, to one customer, who is still waiting. */
  sendingCampaignId: string;
  pausedCampaignId: string;
}

type Needs = Record<"workspaceId" | "segmentId" | "templateId" | "senderId" | "customerId", string>;

/** Makes a campaign in each state that a call needs. */
export async function insertCampaigns(
  { sql }: ApiWorld,
  { workspaceId, segmentId, templateId, senderId, customerId }: Needs,
): Promise<CampaignEntities> {
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
