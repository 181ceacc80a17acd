import type { CallerSql } from "../../kernel/caller.ts";
import type { senderHealthStates } from "../../contract/senders.ts";

/** Facts that decide whether a sender hands messages over. */
export interface SenderFacts {
  id: string;
  name: string;
  state: (typeof senderHealthStates)[number];
  disabled_reason: string | null;
  last_error: string | null;
  limited_by: string | null;
}

/** Reads the health of senders; none that the caller may not read, or that was deleted. */
export async function readSenderFacts(
  tx: CallerSql,
  { workspaceId, senderIds }: { workspaceId: string; senderIds: readonly string[] },
): Promise<SenderFacts[]> {
  if (senderIds.length === 0) return [];
  return await tx<SenderFacts[]>`
    with asked as materialized (
      select jsonb_array_elements_text(${JSON.stringify(senderIds)}::text::jsonb)::uuid as id
    )
    select
      s.id, s.name, coalesce(h.state, 'unused') as state, s.disabled_reason, h.last_error,
      h.limited_by
    from public.senders as s
    left join private.sender_health(${workspaceId}, array(select id from asked)) as h
      on h.sender_id = s.id
    where s.workspace_id = ${workspaceId} and s.id in (select id from asked)
    order by s.name, s.id
  `;
}
