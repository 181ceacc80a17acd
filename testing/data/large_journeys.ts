import type postgres from "postgres";

/**
 * 100 journeys with three versions each. The first has 12,000 ended runs and one of each 40th
 * customer that continues, each other journey has 20; the first customer has 300 runs in it.
 */
export async function insertLargeJourneys(sql: postgres.Sql, workspaceId: string): Promise<void> {
  const definition = JSON.stringify({
    trigger: { event: "signed_up" },
    start: "pause",
    steps: { pause: { wait: { for: "2d" }, next: "end" }, end: { exit: {} } },
  });
  await sql`
    insert into public.journeys (
      workspace_id, key, name, definition, state, version, published_at
    )
    select w.id, 'journey-' || n, 'Journey ' || n, ${definition}::text::jsonb, 'running', 3, now()
    from public.workspaces as w, generate_series(1, 100) as n
    where w.id = ${workspaceId} or n <= 10`;
  await sql`
    insert into public.journey_versions (
      workspace_id, journey_id, version, definition, plan, published_at
    )
    select j.workspace_id, j.id, n, j.definition, '{}', now()
    from public.journeys as j, generate_series(1, 3) as n`;
  await sql`
    insert into public.rehearsals (
      workspace_id, journey_id, definition, since, until, state, finished_at
    )
    select j.workspace_id, j.id, j.definition, now() - interval '7 days', now(), 'done', now()
    from public.journeys as j`;
  await sql`
    insert into public.journey_runs (
      workspace_id, journey_id, version, customer_id, key, state, reason, step, visit, stepped_at,
      entered_at, exited_at
    )
    select
      j.workspace_id, j.id, 1 + n % 3, c.id, n::text, s.state,
      case s.state when 'ended' then 'completed' end, 'pause', 1, now(), now(),
      case s.state when 'ended' then now() end
    from public.journeys as j
    cross join lateral generate_series(1, case j.key when 'journey-1' then 12000 else 20 end) as n
    join (
      select c.id, row_number() over (order by c.id) as place, count(*) over () as total
      from public.customers as c
      where c.workspace_id = ${workspaceId}
    ) as c on c.place = case when n <= 300 then 1 else n % c.total + 1 end
    cross join lateral (select case when n % 40 = 0 then 'active' else 'ended' end) as s (state)
    where j.workspace_id = ${workspaceId}
    -- Runs of all journeys begin in turn.
    order by md5(j.key || n)`;
  await sql`
    insert into public.run_steps (
      workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
    )
    select
      r.workspace_id, r.id, n, now(), now(), r.journey_id, r.version, 'pause', 'wait',
      '{"way": "next", "to": "end"}'
    from public.journey_runs as r, generate_series(1, 2) as n
    where r.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.journey_stats (workspace_id, journey_id, version, step, kind, count)
    select j.workspace_id, j.id, v, s, k, 7
    from public.journeys as j, generate_series(1, 3) as v,
      unnest('{"", pause, end}'::text[]) as s,
      unnest(case s
        when '' then '{entered, exited:completed}'::text[]
        else '{came, left:next, sent, delivered, opened, clicked}'::text[]
      end) as k`;
}
