import type { CallerSql } from "../../kernel/caller.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import { isUuid } from "../../contract/resource_names.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";

/** Outcomes of sends. */
export interface Outcomes {
  sent: number;
  /** By reason. */
  skipped: Record<string, number>;
  /** Includes unknown. */
  failed: number;
  unknown: number;
}

export type CampaignState =
  | "draft"
  | "scheduled"
  | "sending"
  | "paused"
  | "completed"
  | "cancelled";

/** A campaign as the api returns it. */
export interface Campaign extends Outcomes {
  id: string;
  key: string | null;
  name: string;
  segment: string;
  exclude: string[];
  template: string | null;
  sender: string;
  topic: string | null;
  send_at: string | null;
  zone: "workspace" | "customer";
  per_minute: number | null;
  spread_over: string | null;
  not_after: string | null;
  variants: { template: string; weight: number }[];
  winner: { share: number; after: string; by: "opened" | "clicked" | "goal" } | null;
  goal: Condition | null;
  state: CampaignState;
  reason: string | null;
  explanation: string | null;
  winner_variant: number | null;
  recipients: number | null;
  opened: number;
  clicked: number;
  started_at: string | null;
  ended_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface CampaignName {
  workspaceId: string;
  /** Id or key. */
  name: string;
}

export interface CampaignKey {
  workspaceId: string;
  campaignId: string;
}

export interface CampaignFilter extends NamePageRequest {
  workspaceId: string;
  state?: CampaignState | undefined;
}

/** Lists campaigns, newest first. */
export async function listCampaigns(
  tx: CallerSql,
  { workspaceId, state, limit, after, sort }: CampaignFilter,
): Promise<Campaign[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`c.id`, name: tx`c.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Campaign[]>`
    with found as materialized (
      select c.*
      from public.campaigns as c
      where c.workspace_id = ${workspaceId} ${start}
        ${state === undefined ? tx`` : tx`and c.state = ${state}`}
      order by ${by}
      limit ${limit + 1}
    )
    ${selectCampaigns(tx)}
    order by ${shown}
  `;
}

/** Returns one campaign, or undefined if the caller cannot see it. */
export async function findCampaign(
  tx: CallerSql,
  { workspaceId, name }: CampaignName,
): Promise<Campaign | undefined> {
  const rows = await tx<Campaign[]>`
    with found as materialized (
      select c.*
      from public.campaigns as c
      where c.workspace_id = ${workspaceId}
        and ${isUuid(name) ? tx`c.id = ${name}` : tx`c.key = ${name}`}
    )
    ${selectCampaigns(tx)}
  `;
  return rows[0];
}

/** Counts of a campaign by variant and kind. */
export async function listCounts(
  tx: CallerSql,
  { workspaceId, campaignId }: CampaignKey,
): Promise<{ variant: number; kind: string; count: number }[]> {
  return await tx<{ variant: number; kind: string; count: number }[]>`
    select k.variant, k.kind, sum(k.count)::float8 as count
    from private.campaign_counts as k
    where k.workspace_id = ${workspaceId} and k.campaign_id = ${campaignId}
    group by k.variant, k.kind
  `;
}

function selectCampaigns(tx: CallerSql) {
  return tx`
    select
      f.id, f.key, f.name, f.segment_id as segment, to_jsonb(f.exclude_ids) as exclude,
      f.template_id as template, f.sender_id as sender, f.topic_id as topic,
      private.rfc3339(f.send_at) as send_at, f.zone, f.per_minute, f.spread_over, f.not_after,
      f.variants, f.winner, f.goal, f.state, f.reason, f.explanation, f.winner_variant,
      f.recipients::float8 as recipients,
      k.sent::float8 as sent, k.skipped, k.failed::float8 as failed, k.unknown::float8 as unknown,
      k.opened::float8 as opened, k.clicked::float8 as clicked,
      private.rfc3339(f.started_at) as started_at, private.rfc3339(f.ended_at) as ended_at,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at
    from found as f
    cross join lateral (
      select
        coalesce(sum(o.count) filter (where o.kind = 'sent'), 0) as sent,
        coalesce(sum(o.count) filter (where o.kind in ('failed', 'unknown')), 0) as failed,
        coalesce(sum(o.count) filter (where o.kind = 'unknown'), 0) as unknown,
        coalesce(sum(o.count) filter (where o.kind = 'opened'), 0) as opened,
        coalesce(sum(o.count) filter (where o.kind = 'clicked'), 0) as clicked,
        coalesce(
          jsonb_object_agg(substr(o.kind, 9), o.count)
            filter (where o.kind like 'skipped:%' and o.count > 0),
          '{}'
        ) as skipped
      from (
        select n.kind, sum(n.count) as count
        from private.campaign_counts as n
        where n.workspace_id = f.workspace_id and n.campaign_id = f.id
        group by n.kind
      ) as o
    ) as k
  `;
}

/** Creates a draft; returns its id. */
export async function createCampaign(
  tx: CallerSql,
  { workspaceId, fields }: { workspaceId: string; fields: unknown },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.create_campaign(${workspaceId}, ${JSON.stringify(fields)}::text::jsonb) as id
  `;
  return rows[0]!.id;
}

/** Changes the given fields; false if the campaign does not exist. */
export async function updateCampaign(
  tx: CallerSql,
  { workspaceId, campaignId, fields }: CampaignKey & { fields: unknown },
): Promise<boolean> {
  return await isDone(tx`
    select private.update_campaign(
      ${workspaceId}, ${campaignId}, ${JSON.stringify(fields)}::text::jsonb
    ) as is_done
  `);
}

/** Deletes a campaign; false if it does not exist. */
export async function deleteCampaign(
  tx: CallerSql,
  { workspaceId, campaignId }: CampaignKey,
): Promise<boolean> {
  return await isDone(tx`select private.delete_campaign(${workspaceId}, ${campaignId}) as is_done`);
}

export interface StartOptions {
  /** True to send at once instead of at a time. */
  now?: boolean;
  send_at?: string | undefined;
  /** The number of recipients that the caller confirms. */
  recipients?: number | undefined;
}

/** Schedules a campaign or sends it at once; false if it does not exist. */
export async function startCampaign(
  tx: CallerSql,
  { workspaceId, campaignId, options }: CampaignKey & { options: StartOptions },
): Promise<boolean> {
  return await isDone(tx`
    select private.start_campaign(
      ${workspaceId}, ${campaignId}, ${JSON.stringify(options)}::text::jsonb
    ) as is_done
  `);
}

/** Pauses a campaign; false if it does not exist. */
export async function pauseCampaign(
  tx: CallerSql,
  { workspaceId, campaignId }: CampaignKey,
): Promise<boolean> {
  return await isDone(tx`select private.pause_campaign(${workspaceId}, ${campaignId}) as is_done`);
}

/** Continues a paused campaign; false if it does not exist. */
export async function resumeCampaign(
  tx: CallerSql,
  { workspaceId, campaignId, options }: CampaignKey & { options: StartOptions },
): Promise<boolean> {
  return await isDone(tx`
    select private.resume_campaign(
      ${workspaceId}, ${campaignId}, ${JSON.stringify(options)}::text::jsonb
    ) as is_done
  `);
}

/** Cancels a campaign; false if it does not exist. */
export async function cancelCampaign(
  tx: CallerSql,
  { workspaceId, campaignId }: CampaignKey,
): Promise<boolean> {
  return await isDone(tx`select private.cancel_campaign(${workspaceId}, ${campaignId}) as is_done`);
}

/** Sends a campaign to addresses of the caller; returns the ids of the sends. */
export async function testCampaign(
  tx: CallerSql,
  { workspaceId, campaignId, test }: CampaignKey & { test: unknown },
): Promise<string[]> {
  const rows = await tx<{ ids: string[] }[]>`
    select to_jsonb(private.test_campaign(
      ${workspaceId}, ${campaignId}, ${JSON.stringify(test)}::text::jsonb
    )) as ids
  `;
  return rows[0]!.ids;
}

async function isDone(query: PromiseLike<readonly { is_done?: unknown }[]>): Promise<boolean> {
  return (await query)[0]?.is_done === true;
}
