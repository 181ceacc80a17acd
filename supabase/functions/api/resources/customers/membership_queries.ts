import type { CallerSql } from "../../kernel/caller.ts";
import type { CustomerKey } from "./customer_queries.ts";

/** A segment that a customer is in. */
export interface Membership {
  id: string;
  key: string | null;
  name: string;
  kind: "live" | "static";
  member_since: string;
}

/** Lists the segments that a customer is in, by name. */
export async function listMemberships(
  tx: CallerSql,
  { workspaceId, customerId }: CustomerKey,
): Promise<Membership[]> {
  return await tx<Membership[]>`
    select
      s.segment_id as id, s.key, s.name, s.kind, private.rfc3339(s.since) as member_since
    from private.customer_memberships(${workspaceId}, ${customerId}) as s
  `;
}
