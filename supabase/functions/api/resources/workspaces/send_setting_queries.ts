import type { z } from "zod";
import { sendSettingsEdit } from "../../contract/send_settings.ts";
import type { CallerSql } from "../../kernel/caller.ts";

type SendSettingsEdit = {
  [Name in keyof typeof sendSettingsEdit]?: z.output<(typeof sendSettingsEdit)[Name]>;
};

const names = Object.keys(sendSettingsEdit) as (keyof SendSettingsEdit)[];

/** Changes the given settings about messages; an omitted one keeps its value. */
export async function changeSendSettings(
  tx: CallerSql,
  { workspaceId, edit }: { workspaceId: string; edit: SendSettingsEdit },
): Promise<void> {
  const given = Object.fromEntries(names.map((name) => [name, edit[name]]));
  const isGiven = (name: keyof SendSettingsEdit) => edit[name] !== undefined;
  if (!names.some(isGiven)) return;
  const pick = (name: keyof SendSettingsEdit) =>
    isGiven(name) ? tx`r.${tx(name)}` : tx`g.${tx(name)}`;
  await tx`
    insert into public.send_settings (
      workspace_id, caps, quiet_hours, track_opens, track_clicks, campaign_confirm_above,
      campaign_complaint_rate
    )
    select
      ${workspaceId}, ${pick("caps")}, nullif(${pick("quiet_hours")}, 'null'), ${
    pick("track_opens")
  },
      ${pick("track_clicks")}, ${pick("campaign_confirm_above")}, ${pick("campaign_complaint_rate")}
    from private.send_settings_of(${workspaceId}) as g
    cross join jsonb_to_record(${JSON.stringify(given)}::text::jsonb) as r (
      caps jsonb, quiet_hours jsonb, track_opens boolean, track_clicks boolean,
      campaign_confirm_above integer, campaign_complaint_rate numeric
    )
    on conflict (workspace_id) do update
    set
      caps = excluded.caps, quiet_hours = excluded.quiet_hours, track_opens = excluded.track_opens,
      track_clicks = excluded.track_clicks,
      campaign_confirm_above = excluded.campaign_confirm_above,
      campaign_complaint_rate = excluded.campaign_complaint_rate, updated_at = now()
  `;
}
