import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import { findSurvivor } from "../_shared/journeys/survivor.ts";
import { type DatabaseTime, findDefinitions, type VersionKey } from "./run_queue.ts";

interface MoveJob extends VersionKey {
  id: string;
  /** Pairs of a version and a step at which some of its runs stand. */
  stands: [version: number, step: string][];
}

/**
 * Moves some runs to their new version after a publication; returns 0 when none are left. A job
 * that fails is tried again after longer and longer pauses, until it is given up.
 */
export async function workMoves(sql: Sql, now: DatabaseTime): Promise<number> {
  const at = now?.toISOString() ?? null;
  const [job] = await sql<MoveJob[]>`
    select * from private.take_move_job(coalesce(${at}::timestamptz, clock_timestamp()))
  `;
  if (job === undefined) return 0;
  try {
    return await moveSome(sql, job, at);
  } catch (error) {
    await sql`
      select private.fail_move_job(${nameJob(job)}::text::jsonb, ${(error as Error).message})
    `;
    throw error;
  }
}

const nameJob = ({ workspace_id, id }: MoveJob) => JSON.stringify({ workspace_id, id });

async function moveSome(sql: Sql, job: MoveJob, at: string | null): Promise<number> {
  const { workspace_id, journey_id, version, stands } = job;
  const versions = [...new Set([version, ...stands.map(([old]) => old)])];
  const found = await findDefinitions(
    sql,
    versions.map((version) => ({ workspace_id, journey_id, version })),
  );
  const definitions = new Map(found.map(({ version, definition }) => [version, definition]));
  const steps = stands.map(([old, from]) => ({
    version: old,
    from,
    step: findSurvivor(definitions.get(old)!, definitions.get(version)!, from) ?? null,
  }));
  const [row] = await retryLostRaces(() =>
    sql<{ moved: number }[]>`
      select private.move_versions(
        ${nameJob(job)}::text::jsonb, ${JSON.stringify(steps)}::text::jsonb,
        coalesce(${at}::timestamptz, clock_timestamp())
      ) as moved
    `
  );
  return row!.moved;
}
