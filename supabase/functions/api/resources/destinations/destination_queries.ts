import type { CallerSql } from "../../kernel/caller.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import type { healthStates } from "../../contract/destinations.ts";
import { outboundLimits } from "../../contract/limits.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";

export type HealthState = (typeof healthStates)[number];

export interface DestinationHealth {
  state: HealthState;
  pending: number;
  missed: number;
  missed_since: string | null;
  next_attempt_at: string | null;
  next_probe_at: string | null;
  last_error: string | null;
  ok_24h: number;
  failed_24h: number;
  last_success_at: string | null;
  last_failure_at: string | null;
}

/** A destination as the api returns it. */
export interface Destination {
  id: string;
  name: string;
  url: string;
  event_types: string[];
  filter: Record<string, unknown> | null;
  header_names: string[];
  enabled: boolean;
  disabled_by: "member" | "key" | "service" | "operator" | null;
  disabled_reason: string | null;
  rate_limit_per_second: number | null;
  max_concurrency: number;
  description: string | null;
  created_at: string;
  updated_at: string;
  health: DestinationHealth;
}

export interface DestinationFilter extends NamePageRequest {
  workspaceId: string;
  /** Beginning of the name, in any case. */
  q?: string | undefined;
  health?: HealthState | undefined;
}

/** Lists destinations, newest first. */
export async function listDestinations(
  tx: CallerSql,
  { workspaceId, q, health, limit, after, sort }: DestinationFilter,
): Promise<Destination[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`d.id`, name: tx`d.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<Destination[]>`
    with found as materialized (
      select d.*
      from public.destinations as d
      where d.workspace_id = ${workspaceId} ${start}
        ${q === undefined ? tx`` : tx`and starts_with(lower(d.name), lower(${q}))`}
        ${
    health === undefined ? tx`` : tx`and d.id in (
          select s.destination_id
          from private.destination_states(${workspaceId}) as s
          where s.state = ${health}
        )`
  }
      order by ${by}
      limit ${limit + 1}
    )
    ${selectDestinations(tx, workspaceId)}
    order by ${shown}
  `;
}

/** Number of a workspace's destinations in each state. */
export type DestinationCounts = Record<HealthState | "total", number>;

/** Counts all destinations of a workspace. */
export async function countDestinations(
  tx: CallerSql,
  workspaceId: string,
): Promise<DestinationCounts> {
  const rows = await tx<DestinationCounts[]>`
    select
      count(*)::integer as total,
      count(*) filter (where s.state = 'healthy')::integer as healthy,
      count(*) filter (where s.state = 'failing')::integer as failing,
      count(*) filter (where s.state = 'disabled')::integer as disabled,
      count(*) filter (where s.state = 'unused')::integer as unused
    from private.destination_states(${workspaceId}) as s
  `;
  return rows[0]!;
}

export interface DestinationKey {
  workspaceId: string;
  destinationId: string;
}

/** Returns one destination, or undefined if the caller cannot see it. */
export async function findDestination(
  tx: CallerSql,
  { workspaceId, destinationId }: DestinationKey,
): Promise<Destination | undefined> {
  const rows = await tx<Destination[]>`
    with found as materialized (
      select d.*
      from public.destinations as d
      where d.workspace_id = ${workspaceId} and d.id = ${destinationId}
    )
    ${selectDestinations(tx, workspaceId)}
  `;
  return rows[0];
}

function selectDestinations(tx: CallerSql, workspaceId: string) {
  return tx`
    select
      f.id, f.name, f.url, to_jsonb(f.event_types) as event_types, f.filter,
      to_jsonb(f.header_names) as header_names, f.enabled, f.disabled_by, f.disabled_reason,
      f.rate_limit_per_second, f.max_concurrency, f.description,
      private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at,
      jsonb_build_object(
        'state', coalesce(h.state, 'unused'),
        'pending', coalesce(h.pending, 0),
        'missed', coalesce(h.missed, 0),
        'missed_since', private.rfc3339(h.missed_since),
        'next_attempt_at', private.rfc3339(h.next_attempt_at),
        'next_probe_at', private.rfc3339(h.next_probe_at),
        'last_error', h.last_error,
        'ok_24h', coalesce(h.ok_24h, 0),
        'failed_24h', coalesce(h.failed_24h, 0),
        'last_success_at', private.rfc3339(h.last_success_at),
        'last_failure_at', private.rfc3339(h.last_failure_at)
      ) as health
    from found as f
    left join private.destination_health(${workspaceId}, array(select id from found)) as h
      on h.destination_id = f.id
  `;
}

/** Fields that members may set; an omitted field keeps its value, null clears it. */
export interface DestinationFields {
  name?: string | undefined;
  url?: string | undefined;
  event_types?: string[] | undefined;
  filter?: Condition | null | undefined;
  enabled?: boolean | undefined;
  rate_limit_per_second?: number | null | undefined;
  max_concurrency?: number | undefined;
  description?: string | null | undefined;
}

export interface NewDestination extends DestinationKey {
  fields: DestinationFields;
  /** The first secret, encrypted for the destination's id. */
  ciphertext: string;
}

/** Creates a destination with its first secret. */
export async function createDestination(tx: CallerSql, made: NewDestination): Promise<void> {
  await tx`
    insert into public.destinations (
      workspace_id, id, name, url, event_types, filter, enabled, rate_limit_per_second,
      max_concurrency, description
    )
    select
      ${made.workspaceId}, ${made.destinationId}, f.name, f.url, f.event_types, f.filter,
      coalesce(f.enabled, true), f.rate_limit_per_second, coalesce(f.max_concurrency, ${outboundLimits.defaultConcurrency}),
      f.description
    from ${fieldsRecord(tx, made.fields)} as f
  `;
  await tx`
    insert into private.destination_secrets (workspace_id, destination_id, ciphertext)
    values (${made.workspaceId}, ${made.destinationId}, ${made.ciphertext})
  `;
}

/** Returns what decides about the headers of a destination, and holds off other changes of it. */
export async function lockDestination(
  tx: CallerSql,
  { workspaceId, destinationId }: DestinationKey,
): Promise<{ url: string; header_names: string[] } | undefined> {
  const rows = await tx<{ url: string; header_names: string[] }[]>`
    select d.url, to_jsonb(d.header_names) as header_names
    from public.destinations as d
    where d.workspace_id = ${workspaceId} and d.id = ${destinationId}
    for no key update
  `;
  return rows[0];
}

export interface HeaderChanges extends DestinationKey {
  /** Encrypted for the destination; null removes the header. */
  changes: { name: string; ciphertext: string | null }[];
}

/** Sets and removes headers of a destination; the others stay. */
export async function changeHeaders(
  tx: CallerSql,
  { workspaceId, destinationId, changes }: HeaderChanges,
): Promise<void> {
  await tx`
    select private.change_destination_headers(
      ${workspaceId}, ${destinationId}, ${JSON.stringify(changes)}::text::jsonb
    )
  `;
}

/** Updates the given fields; false if the destination does not exist. */
export async function updateDestination(
  tx: CallerSql,
  { workspaceId, destinationId, fields }: DestinationKey & { fields: DestinationFields },
): Promise<boolean> {
  const given = Object.keys(fields);
  const keep = (name: keyof DestinationFields) => {
    return given.includes(name) ? tx`f.${tx(name)}` : tx`d.${tx(name)}`;
  };
  const updated = await tx`
    update public.destinations as d
    set
      name = ${keep("name")}, url = ${keep("url")}, event_types = ${keep("event_types")},
      filter = ${keep("filter")}, enabled = ${keep("enabled")},
      rate_limit_per_second = ${keep("rate_limit_per_second")},
      max_concurrency = ${keep("max_concurrency")}, description = ${keep("description")}
    from ${fieldsRecord(tx, fields)} as f
    where d.workspace_id = ${workspaceId} and d.id = ${destinationId}
  `;
  return updated.count > 0;
}

function fieldsRecord(tx: CallerSql, fields: DestinationFields) {
  return tx`
    (
      select r.*
      from jsonb_to_record(${JSON.stringify(fields)}::text::jsonb) as r (
        name text, url text, event_types text[], filter jsonb, enabled boolean,
        rate_limit_per_second integer, max_concurrency integer, description text
      )
    )
  `;
}

/** Deletes a destination and its secrets; returns its name, undefined if it does not exist. */
export async function deleteDestination(
  tx: CallerSql,
  { workspaceId, destinationId }: DestinationKey,
): Promise<string | undefined> {
  const deleted = await tx<{ name: string }[]>`
    delete from public.destinations as d
    where d.workspace_id = ${workspaceId} and d.id = ${destinationId}
    returning d.name
  `;
  return deleted[0]?.name;
}

export interface SecretRotation extends DestinationKey {
  ciphertext: string;
  /** Seconds for which the previous secret stays valid, 0 to 7 days. */
  overlapSeconds: number;
}

/** Replaces the current secret; throws `not_found` if the destination does not exist. */
export async function rotateSecret(tx: CallerSql, rotation: SecretRotation): Promise<void> {
  await tx`
    select private.rotate_destination_secret(
      ${rotation.workspaceId}, ${rotation.destinationId}, ${rotation.ciphertext},
      make_interval(secs => ${rotation.overlapSeconds})
    )
  `;
}

export interface DestinationTest extends DestinationKey {
  /** @default "ping" */
  event_type?: string | undefined;
  /** @default the payload of the newest event of that name */
  payload?: Record<string, unknown> | undefined;
}

/**
 * Sends a ping or a test event to a destination; returns the message's id.
 *
 * @throws SP404 without a payload if no event of that name is stored
 */
export async function testDestination(tx: CallerSql, test: DestinationTest): Promise<string> {
  const { workspaceId, destinationId, event_type = "ping", payload } = test;
  const json = payload === undefined ? null : JSON.stringify(payload);
  const rows = await tx<{ id: string }[]>`
    select private.test_destination(
      ${workspaceId}, ${destinationId}, ${event_type}, ${json}::text::jsonb
    ) as id
  `;
  return rows[0]!.id;
}

/** A durable job that was started, and its number of messages. */
export interface StartedJob {
  job_id: string;
  matched: number;
}

export interface ReplayRange extends DestinationKey {
  since: string;
  until?: string | undefined;
}

/** Queues all messages again that failed within a time range. */
export async function replayFailed(tx: CallerSql, range: ReplayRange): Promise<StartedJob> {
  const rows = await tx<StartedJob[]>`
    select r.job_id, r.matched
    from private.replay_failed(
      ${range.workspaceId}, ${range.destinationId}, ${range.since}, ${range.until ?? null}
    ) as r
  `;
  return rows[0]!;
}

/** Number of messages that a replay would resend. */
export interface ReplayPreview {
  matched: number;
  is_exact: boolean;
}

/** Counts the messages that failed within a time range, and were not delivered since. */
export async function previewReplay(tx: CallerSql, range: ReplayRange): Promise<ReplayPreview> {
  const rows = await tx<ReplayPreview[]>`
    select r.matched, r.is_exact
    from private.preview_replay(
      ${range.workspaceId}, ${range.destinationId}, ${range.since}, ${range.until ?? null}
    ) as r
  `;
  return rows[0]!;
}

/** Queues all messages that were missed while a destination was disabled. */
export async function recoverMissed(
  tx: CallerSql,
  { workspaceId, destinationId, since }: DestinationKey & { since?: string | undefined },
): Promise<StartedJob> {
  const rows = await tx<StartedJob[]>`
    select r.job_id, r.matched
    from private.recover_missed(${workspaceId}, ${destinationId}, ${since ?? null}) as r
  `;
  return rows[0]!;
}

/** Gives up all messages that were missed while a destination was disabled. */
export async function discardMissed(tx: CallerSql, key: DestinationKey): Promise<StartedJob> {
  const rows = await tx<StartedJob[]>`
    select r.job_id, r.matched
    from private.discard_missed(${key.workspaceId}, ${key.destinationId}) as r
  `;
  return rows[0]!;
}
