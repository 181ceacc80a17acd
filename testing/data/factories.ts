import type postgres from "postgres";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";

/** Quotas of a plan of the test's own. */
export interface PlanOverrides {
  ingestPerSecond?: number;
  ingestBurst?: number;
  apiPerSecond?: number;
  apiBurst?: number;
  ingestBytesPerDay?: number;
  /** Columns of `public.plans`: `{ max_destinations: 3 }`. */
  limits?: Record<`max_${string}`, number>;
}

/** A plan; returns its id. Wide enough for any test unless told otherwise. */
export async function createPlan(
  sql: postgres.Sql,
  overrides: PlanOverrides = {},
): Promise<string> {
  const id = `plan-${crypto.randomUUID()}`;
  const { ingestPerSecond = 20_000, ingestBurst = 200_000 } = overrides;
  const { apiPerSecond = 200, apiBurst = 1_000 } = overrides;
  await sql`
    insert into public.plans (id, ingest_per_second, ingest_burst, api_per_second, api_burst)
    values (${id}, ${ingestPerSecond}, ${ingestBurst}, ${apiPerSecond}, ${apiBurst})
  `;
  const { ingestBytesPerDay = 1024 ** 4, limits = {} } = overrides;
  const set = { ingest_bytes_per_day: ingestBytesPerDay, ...limits };
  await sql`update public.plans set ${sql(set)} where id = ${id}`;
  return id;
}

export interface WorkspaceOverrides {
  name?: string;
  planId?: string;
}

/** A workspace; returns its id. */
export async function createWorkspace(
  sql: postgres.Sql,
  { name = "Test", planId = "scale" }: WorkspaceOverrides = {},
): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    insert into public.workspaces (name, plan_id) values (${name}, ${planId}) returning id
  `;
  return rows[0]!.id;
}

export interface ApiKeyOverrides {
  workspaceId: string;
  scopes?: readonly string[];
  expiresAt?: Date;
  /** @default the first */
  cell?: string;
}

/** A stored key; returns the key itself, which is kept nowhere else. */
export async function createApiKey(
  sql: postgres.Sql,
  { workspaceId, scopes = ["track:write"], expiresAt, cell }: ApiKeyOverrides,
): Promise<string> {
  const { key, hash, lastFour } = await generateApiKey(cell);
  await sql`
    insert into private.api_keys (hash, workspace_id, name, last_four, scopes, expires_at)
    values (
      ${hash}, ${workspaceId}, 'Test', ${lastFour},
      array(select jsonb_array_elements_text(${sql.json([...scopes])})), ${expiresAt ?? null}
    )
  `;
  return key;
}
