import type { CallerSql } from "../../kernel/caller.ts";
import type { Campaign } from "./campaign_queries.ts";

/** A resource as the audit log names it; without a name if the caller may not read it. */
interface Named {
  id: string;
  name: string | null;
}

/** The parts of a campaign. */
export interface StartDetails {
  segment: Named;
  templates: (Named & { version: number | null })[];
  sender: Named;
}

/** Describes the start of a campaign for the audit log, by ids and names alone. */
export async function describeStart(
  tx: CallerSql,
  { workspaceId, campaign }: { workspaceId: string; campaign: Campaign },
): Promise<StartDetails> {
  const { segment, sender, template, variants } = campaign;
  const templateIds = variants.length > 0
    ? variants.map((variant) => variant.template)
    : template === null
    ? []
    : [template];
  const rows = await tx<StartDetails[]>`
    select
      jsonb_build_object('id', ${segment}::uuid, 'name', (
        select s.name from public.segments as s
        where s.workspace_id = ${workspaceId} and s.id = ${segment}
      )) as segment,
      jsonb_build_object('id', ${sender}::uuid, 'name', (
        select s.name from public.senders as s
        where s.workspace_id = ${workspaceId} and s.id = ${sender}
      )) as sender,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('id', i.id, 'name', t.name, 'version', t.version)
            order by i.ordinality
          ),
          '[]'
        )
        from unnest(string_to_array(${
    templateIds.join(",")
  }, ',')::uuid[]) with ordinality as i (id)
        left join public.templates as t on t.workspace_id = ${workspaceId} and t.id = i.id
      ) as templates
  `;
  return rows[0]!;
}
