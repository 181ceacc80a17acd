import type { Definition } from "../../../_shared/journeys/definition.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { isUuid } from "../../contract/resource_names.ts";
import { type NamePageRequest, orderByName } from "../../kernel/sorting.ts";
import { requireFound } from "../../kernel/require_found.ts";

export type JourneyState = "draft" | "running" | "paused" | "draining" | "stopped";

/** A journey as a list shows it. */
export interface ListedJourney {
  id: string;
  key: string | null;
  name: string;
  description: string | null;
  state: JourneyState;
  version: number | null;
  active_runs: number;
  /** Runs of all versions, as the next three. */
  entered: number;
  held_out: number;
  reached_goal: number;
  failed: number;
  created_at: string;
  updated_at: string;
  published_at: string | null;
}

/** A journey as the api returns it. */
export interface Journey extends ListedJourney {
  /** Work on its runs that the service fails at. */
  problem: string | null;
  definition: Definition;
  /** Changes with the definition. */
  draft_revision: string;
  /** The last rehearsal that is stored, finished or not. */
  rehearsal_job_id: string | null;
}

export interface JourneyKey {
  workspaceId: string;
  journeyId: string;
}

export interface JourneyName {
  workspaceId: string;
  /** Id or key. */
  name: string;
}

/** Fields that callers set; an omitted field keeps its value, null clears it. */
export interface JourneyFields {
  name?: string | undefined;
  key?: string | null | undefined;
  description?: string | null | undefined;
  definition?: Definition | undefined;
  /** The draft that the definition replaces, if it matters. */
  draft_revision?: string | undefined;
}

export interface JourneyFilter extends NamePageRequest {
  workspaceId: string;
  /** Beginning of the name, in any case. */
  q?: string | undefined;
  state?: JourneyState | undefined;
}

/** Lists journeys without their definitions, newest first. */
export async function listJourneys(
  tx: CallerSql,
  { workspaceId, q, state, limit, after, sort }: JourneyFilter,
): Promise<ListedJourney[]> {
  const page = { after, sort };
  const { start, by } = orderByName(tx, { id: tx`j.id`, name: tx`j.name` }, page);
  const { by: shown } = orderByName(tx, { id: tx`f.id`, name: tx`f.name` }, page);
  return await tx<ListedJourney[]>`
    with found as materialized (
      select j.*
      from public.journeys as j
      where j.workspace_id = ${workspaceId} ${start}
        ${q === undefined ? tx`` : tx`and starts_with(lower(j.name), lower(${q}))`}
        ${state === undefined ? tx`` : tx`and j.state = ${state}`}
      order by ${by}
      limit ${limit + 1}
    )
    select ${listedColumns(tx)}
    from found as f
    ${joinCounts(tx, workspaceId)}
    order by ${shown}
  `;
}

/** Returns one journey, or undefined if the caller cannot see it. */
export async function findJourney(
  tx: CallerSql,
  { workspaceId, journeyId }: JourneyKey,
): Promise<Journey | undefined> {
  const rows = await tx<Journey[]>`
    with found as materialized (
      select j.*
      from public.journeys as j
      where j.workspace_id = ${workspaceId} and j.id = ${journeyId}
    )
    select ${listedColumns(tx)}, f.definition,
      private.draft_revision(f.definition) as draft_revision,
      private.journey_problem(${workspaceId}, f.id) as problem,
      (
        select h.id
        from public.rehearsals as h
        where h.workspace_id = ${workspaceId} and h.journey_id = f.id
        order by h.id desc
        limit 1
      ) as rehearsal_job_id
    from found as f
    ${joinCounts(tx, workspaceId)}
  `;
  return rows[0];
}

function listedColumns(tx: CallerSql) {
  return tx`
    f.id, f.key, f.name, f.description, f.state, f.version,
    coalesce(c.active_runs, 0)::double precision as active_runs,
    coalesce(c.entered, 0)::double precision as entered,
    coalesce(c.held_out, 0)::double precision as held_out,
    coalesce(c.reached_goal, 0)::double precision as reached_goal,
    coalesce(c.failed, 0)::double precision as failed,
    private.rfc3339(f.created_at) as created_at, private.rfc3339(f.updated_at) as updated_at,
    private.rfc3339(f.published_at) as published_at
  `;
}

function joinCounts(tx: CallerSql, workspaceId: string) {
  return tx`
    left join private.journey_counts(${workspaceId}, array(select id from found)) as c
      on c.journey_id = f.id
  `;
}

/** Returns the id of the journey with this id or key; throws `not_found` without one. */
export async function requireJourneyId(
  tx: CallerSql,
  { workspaceId, name }: JourneyName,
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select j.id
    from public.journeys as j
    where j.workspace_id = ${workspaceId}
      and ${isUuid(name) ? tx`j.id = ${name}` : tx`j.key = ${name}`}
  `;
  return requireFound(rows[0]?.id, "Journey");
}

/** Creates a journey as a draft; returns its id. */
export async function createJourney(
  tx: CallerSql,
  { workspaceId, fields }: { workspaceId: string; fields: JourneyFields },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.create_journey(${workspaceId}, ${JSON.stringify(fields)}::text::jsonb) as id
  `;
  return rows[0]!.id;
}

/**
 * Changes the given fields; false if the journey does not exist.
 *
 * @throws {Error} SP409 if the draft has another revision than the given one.
 */
export async function updateJourney(
  tx: CallerSql,
  { workspaceId, journeyId, fields }: JourneyKey & { fields: JourneyFields },
): Promise<boolean> {
  const rows = await tx<{ is_found: boolean }[]>`
    select private.update_journey(
      ${workspaceId}, ${journeyId}, ${JSON.stringify(fields)}::text::jsonb
    ) as is_found
  `;
  return rows[0]?.is_found ?? false;
}

/** Creates the journey with this key, or replaces all its fields. */
export async function putJourney(
  tx: CallerSql,
  { workspaceId, key, fields }: { workspaceId: string; key: string; fields: JourneyFields },
): Promise<{ id: string; is_created: boolean }> {
  const rows = await tx<{ id: string; is_created: boolean }[]>`
    select p.id, p.is_created
    from private.put_journey(${workspaceId}, ${key}, ${JSON.stringify(fields)}::text::jsonb) as p
  `;
  return rows[0]!;
}

/** Deletes a journey; false if it does not exist. */
export async function deleteJourney(
  tx: CallerSql,
  { workspaceId, journeyId }: JourneyKey,
): Promise<boolean> {
  const rows = await tx<{ is_deleted: boolean }[]>`
    select private.delete_journey(${workspaceId}, ${journeyId}) as is_deleted
  `;
  return rows[0]?.is_deleted ?? false;
}

export interface StateChange extends JourneyKey {
  state: "running" | "paused" | "draining" | "stopped";
  /** Options of the change, as `private.set_journey_state` takes them. */
  options?: Readonly<Record<string, unknown>>;
}

/** Changes the state of a journey; throws SP409 for a change that its state does not allow. */
export async function setJourneyState(
  tx: CallerSql,
  { workspaceId, journeyId, state, options = {} }: StateChange,
): Promise<void> {
  await tx`
    select private.set_journey_state(
      ${workspaceId}, ${journeyId}, ${state}, ${JSON.stringify(options)}::text::jsonb
    )
  `;
}
