import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import type { RehearsedCount } from "../../supabase/functions/automation/rehearse_customer.ts";
import { workRehearsals } from "../../supabase/functions/automation/rehearsals.ts";
import type { JourneyWorld } from "./journey_world.ts";

/** A rehearsal as it is stored. */
export interface StoredRehearsal {
  state: string;
  error: string | null;
  done: number;
  total: number;
  counts: RehearsedCount[];
  examples: { customer_id: string; path: { step: string; outcome: { way: string } }[] }[];
}

/** Starts a rehearsal from a time (ms since 1970) to the world's; returns its id. */
export async function startRehearsal(
  { sql, workspaceId, now }: JourneyWorld,
  { journeyId, definition, since }: { journeyId: string; definition: Definition; since: number },
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.rehearsals (
      workspace_id, journey_id, definition, since, until, created_at
    )
    values (
      ${workspaceId}, ${journeyId}, ${sql.json(definition as never)}, ${new Date(since)},
      ${new Date(now)}, ${new Date(now)}
    )
    returning id`;
  return row!.id;
}

/** Works on rehearsals until none is due. */
export async function finishRehearsals({ sql, now }: JourneyWorld): Promise<void> {
  for (let step = 0; step < 1000; step++) {
    if (await workRehearsals(sql, new Date(now)) === 0) return;
  }
  assert.fail("the rehearsals do not come to an end");
}

/** Returns a rehearsal. */
export async function readRehearsal({ sql }: JourneyWorld, id: string): Promise<StoredRehearsal> {
  const [row] = await sql<StoredRehearsal[]>`select * from public.rehearsals where id = ${id}`;
  return row!;
}

/** Rehearses a definition from a time (ms since 1970) to the world's. */
export async function rehearse(
  world: JourneyWorld,
  options: { journeyId: string; definition: Definition; since: number },
): Promise<StoredRehearsal> {
  const id = await startRehearsal(world, options);
  await finishRehearsals(world);
  return await readRehearsal(world, id);
}

/** Returns the counts as "<step> <kind>: <count>", sorted, without those that are 0. */
export function listCounts(counts: readonly RehearsedCount[]): string[] {
  return counts.filter(({ count }) => Number(count) !== 0)
    .map(({ step, kind, count }) => `${step} ${kind}: ${count}`).toSorted();
}

/** Returns the figures of a journey as the engine has counted them, and who waits where. */
export async function readFigures(
  { sql, workspaceId }: JourneyWorld,
  journeyId: string,
): Promise<string[]> {
  return listCounts(
    await sql<RehearsedCount[]>`
      select k.step, k.kind, sum(k.count)::integer as count
      from (
        select s.step, s.kind, s.count from public.journey_stats as s
        where s.workspace_id = ${workspaceId} and s.journey_id = ${journeyId}
        union all
        select d.step, d.kind, d.count from private.journey_stat_deltas as d
        where d.workspace_id = ${workspaceId} and d.journey_id = ${journeyId}
        union all
        select r.step, 'waiting', 1 from public.journey_runs as r
        where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId}
          and r.state = 'active'
      ) as k
      group by 1, 2`,
  );
}

/** Returns the figures as the log alone has them: runs, their steps, and their sends. */
export async function countLog(
  { sql, workspaceId }: JourneyWorld,
  journeyId: string,
): Promise<string[]> {
  return listCounts(
    await sql<RehearsedCount[]>`
      with runs as (
        select r.* from public.journey_runs as r
        where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId}
      ),
      steps as (
        select s.* from public.run_steps as s
        where s.workspace_id = ${workspaceId} and s.journey_id = ${journeyId}
      ),
      sends as (
        select s.* from public.sends as s
        where s.workspace_id = ${workspaceId} and s.journey_id = ${journeyId}
      )
      select k.step, k.kind, count(*)::integer as count
      from (
        select '' as step, 'entered' as kind from runs
        union all select '', 'holdout' from runs where is_holdout
        union all select '', 'exited:' || reason from runs where reason is not null
        union all
        select '', case when is_holdout then 'goal_holdout' else 'goal' end from runs
        where goal_at is not null
        union all select step, 'goal' from runs where goal_at is not null and not is_holdout
        union all select step, 'waiting' from runs where state = 'active'
        union all
        select v.definition ->> 'start', 'came'
        from runs as r join public.journey_versions as v using (workspace_id, journey_id, version)
        where not r.is_holdout
        union all select outcome ->> 'to', 'came' from steps where outcome ->> 'to' is not null
        union all select step, 'left:' || (outcome ->> 'way') from steps
        union all
        select step, 'skipped:' || (outcome ->> 'skipped') from steps
        where outcome ->> 'skipped' is not null
        union all select step, state from sends where state in ('sent', 'failed', 'unknown')
        union all select step, 'skipped:' || reason from sends where state = 'skipped'
        union all select step, feedback from sends where feedback in ('delivered', 'bounced', 'complained')
        union all select step, 'delivered' from sends where feedback = 'complained'
        union all select step, 'opened' from sends where opened_at is not null
        union all select step, 'clicked' from sends where clicked_at is not null
        union all select step, 'unsubscribed' from sends where unsubscribed_at is not null
      ) as k
      group by 1, 2`,
  );
}
