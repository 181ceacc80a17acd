import type { CallerSql } from "../../kernel/caller.ts";
import type { CustomerKey } from "./customer_queries.ts";
import type { PageRequest } from "../../kernel/page_queries.ts";

export interface CustomerToken {
  token: string;
  platform: "ios" | "android" | "web";
  created_at: string;
  updated_at: string;
  /** Creation time in microseconds, for the cursor. */
  position_at: string;
}

/** Lists a customer's device tokens, newest first. */
export async function listTokens(
  tx: CallerSql,
  { workspaceId, customerId, limit, after }: CustomerKey & PageRequest,
): Promise<CustomerToken[]> {
  const [time = "infinity", token = ""] = after ?? [];
  return await tx<CustomerToken[]>`
    select
      t.token, t.platform, private.rfc3339(t.created_at) as created_at,
      private.rfc3339(t.updated_at) as updated_at,
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position_at
    from public.device_tokens as t
    where t.workspace_id = ${workspaceId} and t.customer_id = ${customerId}
      and (t.created_at, t.token) < (${time}::text::timestamptz, ${token}::text)
    order by t.created_at desc, t.token desc
    limit ${limit + 1}
  `;
}

export interface TokenToAttach extends CustomerKey {
  token: string;
  platform: CustomerToken["platform"];
}

/**
 * Attaches a token to a customer, also if another customer has it; undefined without the customer.
 */
export async function attachToken(
  tx: CallerSql,
  { workspaceId, customerId, token, platform }: TokenToAttach,
): Promise<CustomerToken | undefined> {
  await tx`
    select private.attach_device_token(${workspaceId}, ${customerId}, ${token}, ${platform})
  `;
  const rows = await tx<CustomerToken[]>`
    select
      t.token, t.platform, private.rfc3339(t.created_at) as created_at,
      private.rfc3339(t.updated_at) as updated_at
    from public.device_tokens as t
    where t.workspace_id = ${workspaceId} and t.customer_id = ${customerId} and t.token = ${token}
  `;
  return rows[0];
}

/** Removes a token from a customer; false if the customer does not have it. */
export async function detachToken(
  tx: CallerSql,
  { workspaceId, customerId, token }: CustomerKey & { token: string },
): Promise<boolean> {
  const removed = await tx`
    delete from public.device_tokens as t
    where t.workspace_id = ${workspaceId} and t.customer_id = ${customerId} and t.token = ${token}
  `;
  return removed.count > 0;
}
