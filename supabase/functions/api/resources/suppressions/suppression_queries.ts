import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** A suppressed address as the api returns it. */
export interface Suppression {
  id: string;
  key: null;
  email_hash: string;
  email: string | null;
  reason: "manual" | "import" | "hard_bounce" | "soft_bounces" | "complaint";
  source: "api" | "import" | "event" | "feedback";
  until: string | null;
  created_at: string;
  updated_at: string;
}

export interface SuppressionFilter extends PageRequest {
  workspaceId: string;
  email?: string | undefined;
  reason?: Suppression["reason"] | undefined;
}

/** Lists suppressions, newest first; with `email`, that of the address. */
export async function listSuppressions(
  tx: CallerSql,
  { workspaceId, email, reason, limit, after }: SuppressionFilter,
): Promise<Suppression[]> {
  return await tx<Suppression[]>`
    ${selectSuppressions(tx)}
    where s.workspace_id = ${workspaceId} and s.id < ${after?.[0] ?? lastUuid}
      ${
    email === undefined
      ? tx``
      : tx`and s.id = (select private.find_suppression(${workspaceId}, ${email}))`
  }
      ${reason === undefined ? tx`` : tx`and s.reason = ${reason}`}
    order by s.id desc
    limit ${limit + 1}
  `;
}

/** Returns the suppression of an address, or undefined if the caller cannot see one. */
export async function findSuppression(
  tx: CallerSql,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<Suppression | undefined> {
  const rows = await tx<Suppression[]>`
    ${selectSuppressions(tx)}
    where s.workspace_id = ${workspaceId}
      and s.id = (select private.find_suppression(${workspaceId}, ${email}))
  `;
  return rows[0];
}

function selectSuppressions(tx: CallerSql) {
  return tx`
    select
      s.id, null as key, encode(s.address_hash, 'hex') as email_hash, s.address as email, s.reason, s.source,
      private.rfc3339(s.until) as until, private.rfc3339(s.created_at) as created_at,
      private.rfc3339(s.created_at) as updated_at
    from public.suppressions as s
  `;
}

/** An address to suppress. */
export interface NewSuppression {
  email: string;
  reason: string;
  source: "api" | "import";
}

/** Suppresses addresses; returns how many are new or changed. */
export async function addSuppressions(
  tx: CallerSql,
  { workspaceId, entries }: { workspaceId: string; entries: readonly NewSuppression[] },
): Promise<number> {
  const rows = await tx<{ added: number }[]>`
    select private.add_suppressions(
      ${workspaceId}, ${JSON.stringify(entries)}::text::jsonb
    ) as added
  `;
  return rows[0]?.added ?? 0;
}

/** Lifts a suppression; false if it does not exist. */
export async function removeSuppression(
  tx: CallerSql,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const deleted = await tx`
    delete from public.suppressions as s where s.workspace_id = ${workspaceId} and s.id = ${id}
  `;
  return deleted.count > 0;
}
