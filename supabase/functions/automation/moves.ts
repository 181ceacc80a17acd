import type { Sql } from "../_shared/db/connect.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import { findSurvivor } from "../_shared/journeys/survivor.ts";
import { type DatabaseTime, findDefinitions, type VersionKey } from "./run_queue.ts";

interface MoveJob extends VersionKey {
  id: string;
  /** Pairs of a version and a step at which runs of it stand. */
  stands: [version: number, step: string][];
}

/** Moves some runs to the version that a publication moves them to; returns 0 when none are left. */
export async function workMoves(sql: Sql, now: DatabaseTime): Promise<number> {
  const at = now?.toISOString() ?? null;
  const [job] = await sql<MoveJob[]>`
    select * from private.find_move_job(coalesce(${at}::timestamptz, clock_timestamp()))
  `;
  if (job === undefined) return 0;
  const { workspace_id, id, journey_id, version, stands } = job;
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
        ${JSON.stringify({ workspace_id, id })}::text::jsonb, ${JSON.stringify(steps)}::text::jsonb,
        coalesce(${at}::timestamptz, clock_timestamp())
      ) as moved
    `
  );
  return row!.moved;
}
