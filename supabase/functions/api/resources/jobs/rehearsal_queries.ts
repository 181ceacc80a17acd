import type { z } from "zod";
import type { Definition } from "../../../_shared/journeys/definition.ts";
import type { job } from "../../contract/jobs.ts";
import { notRehearsed, type rehearsal, rehearsedAsNow } from "../../contract/rehearsals.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { buildStats } from "../journeys/build_stats.ts";
import type { StatCount } from "../journeys/stats_queries.ts";

type Rehearsal = z.output<typeof rehearsal>;

interface RehearsalRow {
  id: string;
  journey_id: string;
  version: number | null;
  definition: Definition;
  since: string;
  until: string;
  state: "pending" | "running" | "done" | "failed";
  error: string | null;
  done: number;
  total: number;
  counts: StatCount[];
  examples: Rehearsal["examples"];
  created_at: string;
  finished_at: string | null;
}

/** Returns a rehearsal as a job, or undefined if the caller cannot see it. */
export async function findRehearsal(
  tx: CallerSql,
  { workspaceId, jobId }: { workspaceId: string; jobId: string },
): Promise<z.output<typeof job> | undefined> {
  const [row] = await tx<RehearsalRow[]>`
    select
      h.id, h.journey_id, h.version, h.definition, h.state, h.error, h.done, h.total, h.counts,
      h.examples, private.rfc3339(h.since) as since, private.rfc3339(h.until) as until,
      private.rfc3339(h.created_at) as created_at, private.rfc3339(h.finished_at) as finished_at
    from public.rehearsals as h
    where h.workspace_id = ${workspaceId} and h.id = ${jobId}
  `;
  if (row === undefined) return undefined;
  const { id, journey_id, state, error, done, total, created_at, finished_at } = row;
  return {
    id,
    kind: "rehearse",
    destination_id: null,
    journey_id,
    state,
    done,
    total,
    error,
    created_at,
    finished_at,
    result: state === "done" ? describeRehearsal(row) : null,
  };
}

function describeRehearsal(row: RehearsalRow): Rehearsal {
  const { version, definition, counts, since, until, total, examples } = row;
  const waiting = counts.filter(({ kind }) => kind === "waiting");
  const { steps, ...stats } = buildStats({
    version: null,
    definition,
    counts,
    standing: waiting.map(({ step, count }) => ({ version: 0, step, waiting: count })),
  });
  const prefix = "not_entered:";
  const refused = counts.filter(({ kind }) => kind.startsWith(prefix));
  const { entered, active, reached_goal, exited, holdout } = stats;
  return {
    since,
    until,
    version,
    definition,
    customers: total,
    cut_off: counts.find(({ kind }) => kind === "cut_off")?.count ?? 0,
    entered,
    not_entered: Object.fromEntries(
      refused.map(({ kind, count }) => [kind.slice(prefix.length), count]),
    ),
    active,
    reached_goal,
    exited,
    holdout,
    steps: steps.map(({ step, kind, came, waiting, ways, skipped, reached_goal, sent }) => {
      return { step, kind, came, waiting, ways, skipped, reached_goal, sent };
    }),
    as_of_now: [...rehearsedAsNow],
    left_out: [...notRehearsed],
    examples,
  };
}
