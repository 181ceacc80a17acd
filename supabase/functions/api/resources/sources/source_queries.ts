import type { Mapping } from "../../../_shared/sources/mapping.ts";
import type { HmacSettings } from "../../../_shared/sources/hmac.ts";
import type { Preset, Scheme, SchemeSettings } from "../../../_shared/sources/sources.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { CustomerWithEmail } from "../../../_shared/sources/prepare.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";

/** An inbound webhook source as the api returns it. */
export interface Source extends SchemeSettings {
  id: string;
  name: string;
  scheme: Scheme;
  preset: Preset | null;
  mapping: Mapping | null;
  enabled: boolean;
  description: string | null;
  path: string;
  has_secret: boolean;
  created_at: string;
  updated_at: string;
  health: {
    received_24h: number;
    rejected_24h: number;
    refused_24h: number;
    last_received_at: string | null;
  };
}

/** Lists sources, newest first. */
export async function listSources(
  tx: CallerSql,
  { workspaceId, limit, after, sort }: NamePageRequest & { workspaceId: string },
): Promise<Source[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`s.id`, name: tx`s.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Source[]>`
    with found as materialized (
      select s.*, private.has_secret(s) as has_secret
      from public.inbound_sources as s
      where s.workspace_id = ${workspaceId} ${start}
      order by ${by}
      limit ${limit + 1}
    )
    ${selectSources(tx)}
    order by ${shown}
  `;
}

export interface SourceKey {
  workspaceId: string;
  sourceId: string;
}

/** Returns one source, or undefined if the caller cannot see it. */
export async function findSource(
  tx: CallerSql,
  { workspaceId, sourceId }: SourceKey,
): Promise<Source | undefined> {
  const rows = await tx<Source[]>`
    with found as materialized (
      select s.*, private.has_secret(s) as has_secret
      from public.inbound_sources as s
      where s.workspace_id = ${workspaceId} and s.id = ${sourceId}
    )
    ${selectSources(tx)}
  `;
  return rows[0];
}

/** Checks that the source exists and the caller can see it. */
export async function hasSource(
  tx: CallerSql,
  { workspaceId, sourceId }: SourceKey,
): Promise<boolean> {
  const rows = await tx`
    select from public.inbound_sources as s
    where s.workspace_id = ${workspaceId} and s.id = ${sourceId}
  `;
  return rows.length > 0;
}

function selectSources(tx: CallerSql) {
  return tx`
    select
      f.id, f.name, f.scheme, f.hmac, f.topic_arn, f.preset, f.mapping, f.enabled, f.description,
      '/functions/v1/inbound/' || f.id as path, f.has_secret,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at,
      jsonb_build_object(
        'received_24h', h.received,
        'rejected_24h', h.rejected,
        'refused_24h', h.refused,
        'last_received_at', private.rfc3339(coalesce(h.last_received_at, l.received_at))
      ) as health
    from found as f
    cross join lateral (
      select
        count(*)::integer as received,
        (count(*) filter (where r.outcome = 'rejected'))::integer as rejected,
        (count(*) filter (where r.outcome = 'refused'))::integer as refused,
        max(r.received_at) as last_received_at
      from public.inbound_receipts as r
      where r.workspace_id = f.workspace_id and r.source_id = f.id
        and r.received_at > now() - interval '24 hours'
    ) as h
    left join lateral (
      select r.received_at
      from public.inbound_receipts as r
      -- Each partition is asked, so only where the last day has none.
      where h.received = 0 and r.workspace_id = f.workspace_id and r.source_id = f.id
      order by r.received_at desc
      limit 1
    ) as l on true
  `;
}

/** Fields that members may set; an omitted field keeps its value, null clears it. */
export interface SourceFields {
  name?: string | undefined;
  hmac?: HmacSettings | null | undefined;
  topic_arn?: string | null | undefined;
  preset?: Preset | null | undefined;
  mapping?: Mapping | null | undefined;
  enabled?: boolean | undefined;
  description?: string | null | undefined;
}

export interface NewSource extends SourceKey {
  scheme: Scheme;
  fields: SourceFields;
  /** The first secret, encrypted for the source's id; without a secret no webhook verifies. */
  ciphertext: string | undefined;
}

/** Creates a source, with its first secret if given. */
export async function createSource(tx: CallerSql, made: NewSource): Promise<void> {
  await tx`
    insert into public.inbound_sources (
      workspace_id, id, scheme, name, hmac, topic_arn, preset, mapping, enabled, description
    )
    select
      ${made.workspaceId}, ${made.sourceId}, ${made.scheme}, f.name, f.hmac, f.topic_arn, f.preset,
      f.mapping, coalesce(f.enabled, true), f.description
    from ${fieldsRecord(tx, made.fields)} as f
  `;
  const { ciphertext } = made;
  if (ciphertext !== undefined) {
    await rotateSourceSecret(tx, { ...made, ciphertext, overlapSeconds: 0 });
  }
}

/** Updates the given fields; false if the source does not exist. */
export async function updateSource(
  tx: CallerSql,
  { workspaceId, sourceId, fields }: SourceKey & { fields: SourceFields },
): Promise<boolean> {
  const given = Object.keys(fields);
  const keep = (name: keyof SourceFields) => {
    return given.includes(name) ? tx`f.${tx(name)}` : tx`s.${tx(name)}`;
  };
  const updated = await tx`
    update public.inbound_sources as s
    set
      name = ${keep("name")}, hmac = ${keep("hmac")}, topic_arn = ${keep("topic_arn")}, preset = ${
    keep("preset")
  }, mapping = ${keep("mapping")},
      enabled = ${keep("enabled")}, description = ${keep("description")}
    from ${fieldsRecord(tx, fields)} as f
    where s.workspace_id = ${workspaceId} and s.id = ${sourceId}
  `;
  return updated.count > 0;
}

function fieldsRecord(tx: CallerSql, fields: SourceFields) {
  // Writes the JSON null of a cleared mapping as SQL null.
  return tx`
    (
      select
        r.name, nullif(r.hmac, 'null') as hmac, r.topic_arn, r.preset,
        nullif(r.mapping, 'null') as mapping, r.enabled, r.description
      from jsonb_to_record(${JSON.stringify(fields)}::text::jsonb) as r (
        name text, hmac jsonb, topic_arn text, preset text, mapping jsonb, enabled boolean, description text
      )
    )
  `;
}

/**
 * Deletes a source and its secrets, but not its receipts; returns its name, undefined if it does not
 * exist.
 */
export async function deleteSource(
  tx: CallerSql,
  { workspaceId, sourceId }: SourceKey,
): Promise<string | undefined> {
  const deleted = await tx<{ name: string }[]>`
    delete from public.inbound_sources as s
    where s.workspace_id = ${workspaceId} and s.id = ${sourceId}
    returning s.name
  `;
  return deleted[0]?.name;
}

export interface SourceRotation extends SourceKey {
  ciphertext: string;
  /** Seconds for which the previous secret stays valid, 0 to 7 days. */
  overlapSeconds: number;
}

/** Replaces the current secret; throws `not_found` if the source does not exist. */
export async function rotateSourceSecret(tx: CallerSql, rotation: SourceRotation): Promise<void> {
  await tx`
    select private.rotate_inbound_secret(
      ${rotation.workspaceId}, ${rotation.sourceId}, ${rotation.ciphertext},
      make_interval(secs => ${rotation.overlapSeconds})
    )
  `;
}

/** Like `findCustomersByEmail`, with the caller's rights. */
export async function findCallersCustomers(
  tx: CallerSql,
  { workspaceId, emails }: { workspaceId: string; emails: readonly string[] },
): Promise<CustomerWithEmail[]> {
  return await tx<CustomerWithEmail[]>`
    select c.email, c.external_id as "externalId", c.anon_id as "anonId"
    from private.customers_by_email(
      ${workspaceId},
      array(select jsonb_array_elements_text(${JSON.stringify(emails)}::text::jsonb))
    ) as c
  `;
}
