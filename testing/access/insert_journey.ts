import type { ApiWorld } from "../service/api_world.ts";

/** A running journey, a run that waits for a day at its first step, and a draft. */
export interface JourneyEntities {
  journeyId: string;
  runId: string;
  draftId: string;
}

const definition = {
  trigger: { api: true },
  entry: { again: "always" },
  start: "pause",
  steps: { pause: { wait: { for: "1d" }, next: "end" }, end: { exit: {} } },
};
const draft = { ...definition, trigger: { event: "signed_up" } };

/** Creates a running journey with the customer in it, and a row in each of its tables. */
export async function insertJourney(
  { sql }: ApiWorld,
  { workspaceId, customerId }: { workspaceId: string; customerId: string },
): Promise<JourneyEntities> {
  const [row] = await sql<JourneyEntities[]>`
    with journey as (
      insert into public.journeys (workspace_id, name, definition, state, version)
      values (${workspaceId}, 'Welcome', ${sql.json(definition)}, 'running', 1)
      returning id
    ), version as (
      insert into public.journey_versions (
        workspace_id, journey_id, version, definition, plan, published_at
      )
      select
        ${workspaceId}, j.id, 1, ${sql.json(definition)},
        private.plan_journey(${sql.json(definition)}), now()
      from journey as j
    ), run as (
      insert into public.journey_runs (
        workspace_id, journey_id, version, customer_id, step, stepped_at, entered_at, is_parallel
      )
      select ${workspaceId}, j.id, 1, ${customerId}, 'pause', now(), now(), true from journey as j
      returning id
    ), step as (
      insert into public.run_steps (
        workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
      )
      select ${workspaceId}, r.id, 1, now(), now(), j.id, 1, 'start', 'update', '{"way": "next"}'
      from run as r, journey as j
    ), draft as (
      insert into public.journeys (workspace_id, name, definition)
      values (${workspaceId}, 'Draft', ${sql.json(draft)})
      returning id
    ), job as (
      insert into private.journey_jobs (workspace_id, journey_id, kind, version, due_at, failures, error)
      select ${workspaceId}, j.id, 'move', 2, 'infinity', 15, 'Some' from journey as j
    ), stats as (
      insert into public.journey_stats (workspace_id, journey_id, version, step, kind, count)
      select ${workspaceId}, j.id, 1, '', 'entered', 1 from journey as j
    )
    select j.id as "journeyId", r.id as "runId", d.id as "draftId"
    from journey as j, run as r, draft as d`;
  return row!;
}
