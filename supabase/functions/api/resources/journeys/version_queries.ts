import type { Definition } from "../../../_shared/journeys/definition.ts";
import { listReferences, type Referent } from "../../contract/journeys/references.ts";
import { isUuid } from "../../contract/resource_names.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { PageRequest } from "../../kernel/page_queries.ts";
import type { JourneyKey } from "./journey_queries.ts";

/** A published version as the api returns it. */
export interface JourneyVersion {
  version: number;
  definition: Definition;
  published_at: string;
  published_by: string | null;
}

/** Lists the versions of a journey, newest first. */
export async function listVersions(
  tx: CallerSql,
  { workspaceId, journeyId, limit, after }: JourneyKey & PageRequest,
): Promise<JourneyVersion[]> {
  return await tx<JourneyVersion[]>`
    select
      v.version, v.definition, private.rfc3339(v.published_at) as published_at, v.published_by
    from public.journey_versions as v
    where v.workspace_id = ${workspaceId} and v.journey_id = ${journeyId}
      and v.version < ${after?.[0] ?? "2147483647"}::integer
    order by v.version desc
    limit ${limit + 1}
  `;
}

/** Returns the definitions of these versions, by version. */
export async function findDefinitions(
  tx: CallerSql,
  { workspaceId, journeyId, versions }: JourneyKey & { versions: readonly number[] },
): Promise<Map<number, Definition>> {
  const rows = await tx<{ version: number; definition: Definition }[]>`
    select v.version, v.definition
    from public.journey_versions as v
    where v.workspace_id = ${workspaceId} and v.journey_id = ${journeyId}
      and v.version in (
        select e.version::integer
        from jsonb_array_elements_text(${JSON.stringify(versions)}::text::jsonb) as e (version)
      )
  `;
  return new Map(rows.map(({ version, definition }) => [version, definition]));
}

/** Finds what the names in a definition stand for. */
export async function findReferents(
  tx: CallerSql,
  { workspaceId, definition }: { workspaceId: string; definition: Definition },
): Promise<Referent[]> {
  const names = listReferences(definition).map(({ kind, name }) => ({ kind, name }));
  const distinct = new Map(names.map((one) => [`${one.kind} ${one.name}`, one]));
  const asked = [...distinct.values()].map((one) =>
    isUuid(one.name) ? { ...one, ref_id: one.name } : one
  );
  return await tx<Referent[]>`
    select f.kind, f.name, f.id, f.has_unsubscribe
    from private.find_references(${workspaceId}, ${JSON.stringify(asked)}::text::jsonb) as f
  `;
}

/** Runs that stand at a step of a version. */
export interface StepCount {
  version: number;
  step: string;
  waiting: number;
}

/** Counts the active runs at each step of each version. */
export async function countSteps(
  tx: CallerSql,
  { workspaceId, journeyId }: JourneyKey,
): Promise<StepCount[]> {
  return await tx<StepCount[]>`
    select c.version, c.step, c.waiting::double precision as waiting
    from private.step_counts(${workspaceId}, ${journeyId}) as c
    order by c.version desc, c.step
  `;
}

/** Makes a version of a resolved definition; returns its number. */
export async function publishVersion(
  tx: CallerSql,
  { workspaceId, journeyId, ...options }: JourneyKey & {
    definition: Definition;
    inside: "stay" | "move";
    published_by: string | null;
  },
): Promise<number> {
  const rows = await tx<{ version: number }[]>`
    select private.publish_journey(
      ${workspaceId}, ${journeyId}, ${JSON.stringify(options)}::text::jsonb
    ) as version
  `;
  return rows[0]!.version;
}

/** Starts the rehearsal of a resolved definition; returns its id. */
export async function startRehearsal(
  tx: CallerSql,
  { workspaceId, journeyId, ...options }: JourneyKey & {
    definition: Definition;
    version: number | undefined;
    since: string;
  },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.rehearse_journey(
      ${workspaceId}, ${journeyId}, ${JSON.stringify(options)}::text::jsonb
    ) as id
  `;
  return rows[0]!.id;
}
