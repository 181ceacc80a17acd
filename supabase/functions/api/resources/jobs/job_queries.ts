import type { CallerSql } from "../../kernel/caller.ts";

/** A job about messages as the api returns it. */
export interface MessageJob {
  id: string;
  kind: "replay" | "recover" | "discard";
  destination_id: string;
  journey_id: null;
  state: "pending" | "running" | "done";
  done: number;
  total: number;
  created_at: string;
  error: null;
  finished_at: string | null;
  result: null;
}

/** Returns one job about messages, or undefined if the caller cannot see it. */
export async function findJob(
  tx: CallerSql,
  { workspaceId, jobId }: { workspaceId: string; jobId: string },
): Promise<MessageJob | undefined> {
  const rows = await tx<MessageJob[]>`
    select
      j.id, j.kind, j.destination_id, null as journey_id, j.state, j.done, j.total, null as error,
      null as result,
      private.rfc3339(j.created_at) as created_at, private.rfc3339(j.finished_at) as finished_at
    from public.jobs as j
    where j.workspace_id = ${workspaceId} and j.id = ${jobId}
  `;
  return rows[0];
}
