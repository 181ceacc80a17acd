import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** A session of the calling user. */
export interface Session {
  id: string;
  created_at: string | null;
  last_active_at: string | null;
  user_agent: string | null;
  ip: string | null;
  /** Creation time in microseconds, for the cursor. */
  position_at: string;
}

/** Lists the caller's sessions, newest first. */
export async function listSessions(
  tx: CallerSql,
  { limit, after }: PageRequest,
): Promise<Session[]> {
  const [time = "infinity", id = lastUuid] = after ?? [];
  return await tx<Session[]>`
    select
      s.id, private.rfc3339(nullif(s.created_at, 'epoch')) as created_at,
      private.rfc3339(nullif(s.last_active_at, 'epoch')) as last_active_at,
      s.user_agent, s.ip,
      to_char(
        s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
      ) as position_at
    from private.own_sessions(${time}::text::timestamptz, ${id}::uuid, ${limit + 1}) as s
    order by s.created_at desc, s.id desc
  `;
}
