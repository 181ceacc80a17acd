import { canonicalAddress } from "../../../_shared/entries/addresses.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { IngestProfile } from "../../../_shared/entries/profile.ts";
import type { ProfileField } from "../../../_shared/entries/profile_names.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import { type Count, firstUuid, lastUuid, type PageRequest } from "../../kernel/page_queries.ts";
import type { TimePageRequest } from "../../kernel/sorting.ts";

/** A customer as the api and the webhooks return it. */
export interface Customer extends Record<ProfileField, string | null> {
  id: string;
  external_id: string | null;
  /** The newest 100, oldest first. */
  external_ids: string[];
  external_ids_count: number;
  /** The newest 100, oldest first. */
  anon_ids: string[];
  anon_ids_count: number;
  attributes: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  last_seen_at: string;
}

export interface CustomerFilter extends TimePageRequest {
  workspaceId: string;
  /** At most one of these may be set. */
  q?: string | undefined;
  email?: string | undefined;
  external_id?: string | undefined;
  anon_id?: string | undefined;
  filter?: Condition | undefined;
}

/** Lists customers, newest first; reads one row more than the limit to detect another page. */
export async function listCustomers(tx: CallerSql, filter: CustomerFilter): Promise<Customer[]> {
  const { workspaceId } = filter;
  const rows = await tx<{ document: Customer }[]>`
    with found as materialized (${findCustomerIds(tx, filter)})
    select d.document
    from private.customer_documents(${workspaceId}, array(select f.id from found as f)) as d
    order by d.customer_id ${filter.sort === "oldest" ? tx`` : tx`desc`}
  `;
  return rows.map(({ document }) => document);
}

/** Counts the customers that meet a condition. */
async function countCustomers(
  tx: CallerSql,
  { workspaceId, filter }: { workspaceId: string; filter: Condition },
): Promise<Count> {
  const rows = await tx<{ count: Count }[]>`
    select private.count_customers(
      ${workspaceId}, ${JSON.stringify(filter)}::text::jsonb
    ) as count
  `;
  return rows[0]!.count;
}

/** Most customers that are counted without a condition. */
const mostCounted = 10_000;

/** Counts the customers of a list: all that meet its condition, otherwise up to 10,000. */
export async function countListed(tx: CallerSql, filter: CustomerFilter): Promise<Count> {
  const { workspaceId, q, filter: condition, email, external_id, anon_id } = filter;
  if (condition !== undefined) return await countCustomers(tx, { workspaceId, filter: condition });
  const isOfId = [email, external_id, anon_id].some((value) => value !== undefined);
  const rows = isOfId
    ? await tx<{ count: Count }[]>`
      select jsonb_build_object(
        'count', least(count(*), ${mostCounted}), 'is_exact', count(*) <= ${mostCounted}
      ) as count
      from (${findCustomerIds(tx, { ...filter, limit: mostCounted, after: undefined })}) as f`
    : await tx<{ count: Count }[]>`
      select private.count_found_customers(${workspaceId}, ${q ?? null}, ${mostCounted}) as count`;
  return rows[0]!.count;
}

function findCustomerIds(tx: CallerSql, filter: CustomerFilter) {
  const { workspaceId, q, email, limit } = filter;
  const before = filter.after?.[0] ?? lastUuid;
  if (q !== undefined) {
    return tx`select private.search_customers(${workspaceId}, ${q}, ${before}, ${limit + 1}) as id`;
  }
  if (email !== undefined) {
    return tx`
      select private.customers_with_email(
        ${workspaceId}, ${canonicalAddress(email)}, ${before}, ${limit + 1}
      ) as id`;
  }
  if (filter.filter !== undefined) {
    return tx`
      select f.id
      from private.filter_customers(
        ${workspaceId}, ${JSON.stringify(filter.filter)}::text::jsonb,
        ${filter.after?.[0] ?? null}::uuid, ${limit + 1}
      ) as f (id)`;
  }
  const { external_id, anon_id } = filter;
  if (external_id !== undefined || anon_id !== undefined) {
    return tx`
      select i.customer_id as id
      from public.identities as i
      where i.workspace_id = ${workspaceId}
        and i.kind = ${external_id === undefined ? "anon" : "external"}
        and i.value = ${external_id ?? anon_id ?? ""} and i.customer_id < ${before}`;
  }
  if (filter.sort === "oldest") {
    return tx`
      select c.id
      from public.customers as c
      where c.workspace_id = ${workspaceId} and c.id > ${filter.after?.[0] ?? firstUuid}
      order by c.id
      limit ${limit + 1}`;
  }
  return tx`
    select c.id
    from public.customers as c
    where c.workspace_id = ${workspaceId} and c.id < ${before}
    order by c.id desc
    limit ${limit + 1}`;
}

export interface CustomerKey {
  workspaceId: string;
  customerId: string;
}

/** Returns one customer, or undefined if the caller cannot see it. */
export async function findCustomer(
  tx: CallerSql,
  { workspaceId, customerId }: CustomerKey,
): Promise<Customer | undefined> {
  const rows = await tx<{ document: Customer }[]>`
    select d.document
    from private.customer_documents(${workspaceId}, array[${customerId}::uuid]) as d
  `;
  return rows[0]?.document;
}

export interface CustomerEdit extends CustomerKey {
  profile: IngestProfile;
  /** Merged key by key; a null value removes the key. */
  attributes: Record<string, unknown> | undefined;
}

/** Edits a profile like an identify; returns the changed fields, or null without a customer. */
export async function editCustomer(tx: CallerSql, edit: CustomerEdit): Promise<string[] | null> {
  const rows = await tx<{ changed: string[] | null }[]>`
    select to_jsonb(private.edit_customer(
      ${edit.workspaceId}, ${edit.customerId}, ${JSON.stringify(edit.profile)}::text::jsonb,
      ${JSON.stringify(edit.attributes ?? {})}::text::jsonb
    )) as changed
  `;
  return rows[0]?.changed ?? null;
}

/** Erases a customer; false if it does not exist. */
export async function eraseCustomer(
  tx: CallerSql,
  { workspaceId, customerId }: CustomerKey,
): Promise<boolean> {
  const rows = await tx<{ erased: boolean }[]>`
    select private.erase_customer(${workspaceId}, ${customerId}) as erased
  `;
  return rows[0]?.erased ?? false;
}

/** A record that was merged into a customer, with its profile before the merge. */
export interface CustomerMerge {
  id: string;
  merged_customer_id: string;
  cause: "identify" | "alias";
  profile: Record<string, unknown>;
  /** Ids moved by the merge: the newest 100 of both kinds combined. */
  external_ids: string[];
  anon_ids: string[];
  /** Number of ids moved by the merge. */
  ids_count: number;
  merged_at: string;
}

/** Lists the records merged into a customer, newest first. */
export async function listMerges(
  tx: CallerSql,
  { workspaceId, customerId, limit, after }: CustomerKey & PageRequest,
): Promise<CustomerMerge[]> {
  return await tx<CustomerMerge[]>`
    select
      m.id, m.merged_customer_id, m.cause, m.profile, private.rfc3339(m.merged_at) as merged_at,
      coalesce(i.external_ids, '[]') as external_ids, coalesce(i.anon_ids, '[]') as anon_ids,
      cardinality(m.identity_ids) as ids_count
    from public.customer_merges as m
    left join lateral (
      select
        jsonb_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'external') as external_ids,
        jsonb_agg(d.value order by d.created_at, d.id) filter (where d.kind = 'anon') as anon_ids
      from public.identities as d
      where d.workspace_id = m.workspace_id 
        -- Kept in the order of their age.
        and d.id = any (m.identity_ids[greatest(1, cardinality(m.identity_ids) - 99):])
    ) as i on true
    where m.workspace_id = ${workspaceId} and m.customer_id = ${customerId}
      and m.id < ${after?.[0] ?? lastUuid}
    order by m.id desc
    limit ${limit + 1}
  `;
}
