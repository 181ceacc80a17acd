import type { z } from "zod";
import { sendSettingsEdit } from "../../contract/send_settings.ts";
import type { CallerSql } from "../../kernel/caller.ts";

type SendSettingsEdit = {
  [Name in keyof typeof sendSettingsEdit]?: z.output<(typeof sendSettingsEdit)[Name]>;
};

const names = Object.keys(sendSettingsEdit) as (keyof SendSettingsEdit)[];

/**
 * Changes the given settings about messages; an omitted one keeps its value. Returns whether one has
 * another value now.
 */
export async function changeSendSettings(
  tx: CallerSql,
  { workspaceId, edit }: { workspaceId: string; edit: SendSettingsEdit },
): Promise<boolean> {
  const given = Object.fromEntries(names.map((name) => [name, edit[name]]));
  const isGiven = (name: keyof SendSettingsEdit) => edit[name] !== undefined;
  if (!names.some(isGiven)) return false;
  const pick = (name: keyof SendSettingsEdit) =>
    isGiven(name) ? tx`r.${tx(name)}` : tx`g.${tx(name)}`;
  const changed = await tx`
    insert into public.send_settings (
      workspace_id, caps, quiet_hours, track_opens, track_clicks, campaign_confirm_above,
      campaign_complaint_rate
    )
    select
      ${workspaceId}, n.caps, n.quiet_hours, n.track_opens, n.track_clicks,
      n.campaign_confirm_above, n.campaign_complaint_rate
    from private.send_settings_of(${workspaceId}) as g
    cross join jsonb_to_record(${JSON.stringify(given)}::text::jsonb) as r (
      caps jsonb, quiet_hours jsonb, track_opens boolean, track_clicks boolean,
      campaign_confirm_above integer, campaign_complaint_rate numeric
    )
    cross join lateral (
      select
        ${pick("caps")} as caps, nullif(${pick("quiet_hours")}, 'null') as quiet_hours,
        ${pick("track_opens")} as track_opens, ${pick("track_clicks")} as track_clicks,
        ${pick("campaign_confirm_above")} as campaign_confirm_above,
        ${pick("campaign_complaint_rate")} as campaign_complaint_rate
    ) as n
    where (
      n.caps, n.quiet_hours, n.track_opens, n.track_clicks, n.campaign_confirm_above,
      n.campaign_complaint_rate
    ) is distinct from (
      g.caps, g.quiet_hours, g.track_opens, g.track_clicks, g.campaign_confirm_above,
      g.campaign_complaint_rate
    )
    on conflict (workspace_id) do update
    set
      caps = excluded.caps, quiet_hours = excluded.quiet_hours, track_opens = excluded.track_opens,
      track_clicks = excluded.track_clicks,
      campaign_confirm_above = excluded.campaign_confirm_above,
      campaign_complaint_rate = excluded.campaign_complaint_rate, updated_at = now()
  `;
  return changed.count > 0;
}
