import type { CallerSql } from "../../kernel/caller.ts";

/** A job as the api returns it. */
export interface Job {
  id: string;
  kind: "replay" | "recover" | "discard";
  destination_id: string;
  state: "pending" | "running" | "done";
  done: number;
  total: number;
  created_at: string;
  finished_at: string | null;
}

/** Returns one job, or undefined if the caller cannot see it. */
export async function findJob(
  tx: CallerSql,
  { workspaceId, jobId }: { workspaceId: string; jobId: string },
): Promise<Job | undefined> {
  const rows = await tx<Job[]>`
    select
      j.id, j.kind, j.destination_id, j.state, j.done, j.total,
      private.rfc3339(j.created_at) as created_at, private.rfc3339(j.finished_at) as finished_at
    from public.jobs as j
    where j.workspace_id = ${workspaceId} and j.id = ${jobId}
  `;
  return rows[0];
}
