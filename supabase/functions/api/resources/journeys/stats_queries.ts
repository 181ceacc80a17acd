import type { CallerSql } from "../../kernel/caller.ts";
import type { JourneyKey } from "./journey_queries.ts";

/** One counter of a journey; an empty step stands for the journey as a whole. */
export interface StatCount {
  step: string;
  kind: string;
  count: number;
}

/** Lists the counters of a journey, of one version or added up over all. */
export async function listStatCounts(
  tx: CallerSql,
  { workspaceId, journeyId, version }: JourneyKey & { version: number | undefined },
): Promise<StatCount[]> {
  return await tx<StatCount[]>`
    select s.step, s.kind, sum(s.count)::double precision as count
    from public.journey_stats as s
    where s.workspace_id = ${workspaceId} and s.journey_id = ${journeyId}
      ${version === undefined ? tx`` : tx`and s.version = ${version}`}
    group by s.step, s.kind
    order by s.step, s.kind
  `;
}
