import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";
import type { exitReasons } from "../../contract/journeys.ts";

/** A run as a list shows it. */
export interface ListedRun {
  id: string;
  journey: { id: string; key: string | null; name: string | null };
  version: number;
  customer_id: string;
  customer_name: string | null;
  key: string | null;
  state: "active" | "ended";
  step: string | null;
  wake_at: string | null;
  entered_at: string;
  exited_at: string | null;
  reason: (typeof exitReasons)[number] | null;
  goal_at: string | null;
}

/** One step that a run took. */
export interface RunStep {
  visit: number;
  step: string;
  kind: string;
  at: string;
  done_at: string;
  outcome: Record<string, unknown>;
}

/** A run with its steps. */
export interface Run extends ListedRun {
  trigger: Record<string, unknown>;
  cause: Record<string, unknown>;
  steps: RunStep[];
}

export interface RunKey {
  workspaceId: string;
  runId: string;
}

/** Most steps of one run that are shown. */
const maxShownSteps = 1000;

export interface RunFilter extends PageRequest {
  workspaceId: string;
  journeyId: string;
  state?: ListedRun["state"] | undefined;
  /** Active runs that stand at a step of a version. */
  standing?: { version: number; step: string } | undefined;
}

/**
 * Most runs of a journey that are counted and listed as stuck: those that have been stuck the
 * longest.
 */
export const maxStuckRuns = 1000;

/** Lists the runs of a journey, newest first. */
export async function listJourneyRuns(
  tx: CallerSql,
  { workspaceId, journeyId, state, standing, limit, after }: RunFilter,
): Promise<ListedRun[]> {
  return await tx<ListedRun[]>`
    with found as materialized (
      select r.*, j.key as journey_key, j.name as journey_name
      from public.journey_runs as r
      left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
      where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId}
        ${isOfState(tx, standing ? "active" : state)}
        ${standing ? tx`and r.version = ${standing.version} and r.step = ${standing.step}` : tx``}
        and r.id < ${after?.[0] ?? lastUuid}
      order by r.id desc
      limit ${limit + 1}
    )
    ${selectFound(tx, workspaceId)}
  `;
}

/** Lists the runs of a journey that should have moved long ago, newest first. */
export async function listStuckRuns(
  tx: CallerSql,
  { workspaceId, journeyId, limit, after }: Omit<RunFilter, "state" | "standing">,
): Promise<ListedRun[]> {
  return await tx<ListedRun[]>`
    with stuck as materialized (${findStuck(tx, { workspaceId, journeyId })}),
    found as materialized (
      select r.*, j.key as journey_key, j.name as journey_name
      from stuck as k
      join public.journey_runs as r on r.workspace_id = ${workspaceId} and r.id = k.id
      left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
      where r.id < ${after?.[0] ?? lastUuid}
      order by r.id desc
      limit ${limit + 1}
    )
    ${selectFound(tx, workspaceId)}
  `;
}

/** Counts the runs of a journey that should have moved long ago, up to `maxStuckRuns`. */
export async function countStuckRuns(
  tx: CallerSql,
  journey: { workspaceId: string; journeyId: string },
): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    select count(*)::double precision as count from (${findStuck(tx, journey)}) as k
  `;
  return rows[0]!.count;
}

/** Nothing moves in a paused journey, so nobody is stuck there. */
function findStuck(
  tx: CallerSql,
  { workspaceId, journeyId }: { workspaceId: string; journeyId: string },
) {
  return tx`
    select r.id
    from public.journey_runs as r
    where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId}
      and r.state = 'active' and r.claim is null
      and r.due_at < clock_timestamp() - interval '2 minutes'
      and exists (
        select from public.journeys as j
        where j.workspace_id = ${workspaceId} and j.id = ${journeyId}
          and j.state in ('running', 'draining')
      )
    order by r.due_at
    limit ${maxStuckRuns}
  `;
}

function selectFound(tx: CallerSql, workspaceId: string) {
  return tx`
    select ${runColumns(tx, { key: tx`r.journey_key`, name: tx`r.journey_name` })}
    from found as r
    left join private.customer_names(${workspaceId}, array(select customer_id from found)) as n
      on n.customer_id = r.customer_id
    order by r.id desc
  `;
}

/** Filters by a state that is written into the statement, so that a partial index can be used. */
function isOfState(tx: CallerSql, state: ListedRun["state"] | undefined) {
  if (state === undefined) return tx``;
  return state === "active" ? tx`and r.state = 'active'` : tx`and r.state = 'ended'`;
}

/** Lists the runs of a customer, newest first. */
export async function listCustomerRuns(
  tx: CallerSql,
  { workspaceId, customerId, limit, after }: PageRequest & {
    workspaceId: string;
    customerId: string;
  },
): Promise<ListedRun[]> {
  return await tx<ListedRun[]>`
    select ${runColumns(tx, { key: tx`r.journey_key`, name: tx`r.journey_name` })}
    from private.customer_runs(
      ${workspaceId}, ${customerId}, ${after?.[0] ?? null}, ${limit + 1}
    ) as r
    left join private.customer_names(${workspaceId}, array[${customerId}::uuid]) as n
      on n.customer_id = r.customer_id
    order by r.id desc
  `;
}

interface JourneyColumns {
  key: ReturnType<CallerSql>;
  name: ReturnType<CallerSql>;
}

function runColumns(tx: CallerSql, { key, name }: JourneyColumns) {
  return tx`
    r.id, jsonb_build_object('id', r.journey_id, 'key', ${key}, 'name', ${name}) as journey,
    r.version, r.customer_id, n.name as customer_name, nullif(r.key, '') as key, r.state, r.step,
    private.rfc3339(r.wake_at) as wake_at,
    private.rfc3339(r.entered_at) as entered_at, private.rfc3339(r.exited_at) as exited_at,
    r.reason, private.rfc3339(r.goal_at) as goal_at
  `;
}

/** Returns one run with its newest steps, or undefined if the caller cannot see it. */
export async function findRun(
  tx: CallerSql,
  { workspaceId, runId }: RunKey,
): Promise<Run | undefined> {
  const rows = await tx<Omit<Run, "steps">[]>`
    select ${runColumns(tx, { key: tx`j.key`, name: tx`j.name` })}, r.trigger, r.cause
    from public.journey_runs as r
    left join public.journeys as j on j.workspace_id = r.workspace_id and j.id = r.journey_id
    left join lateral private.customer_names(${workspaceId}, array[r.customer_id]) as n on true
    where r.workspace_id = ${workspaceId} and r.id = ${runId}
  `;
  const run = rows[0];
  if (run === undefined) return undefined;
  const steps = await tx<RunStep[]>`
    select
      s.visit, s.step, s.kind, private.rfc3339(s.at) as at,
      private.rfc3339(s.done_at) as done_at, s.outcome
    from public.run_steps as s
    where s.workspace_id = ${workspaceId} and s.run_id = ${runId}
    order by s.visit desc
    limit ${maxShownSteps}
  `;
  return { ...run, steps: steps.toReversed() };
}

/** Ends a run with the reason `removed`; false if it does not exist. */
export async function removeRun(tx: CallerSql, { workspaceId, runId }: RunKey): Promise<boolean> {
  const rows = await tx<{ is_found: boolean }[]>`
    select private.remove_run(${workspaceId}, ${runId}) as is_found
  `;
  return rows[0]?.is_found ?? false;
}
