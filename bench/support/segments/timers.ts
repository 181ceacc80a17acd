import type postgres from "postgres";

const batch = 500_000;
const day = 86_400_000;

/** Results of a run of timers. */
export interface TimerResult {
  /** Milliseconds that an idle fold took with all timers pending. */
  idleMs: number;
  fired: number;
  /** Timers that fired before their time. */
  early: number;
  /** Milliseconds from the time of a timer to the commit of its fold. */
  lateness: number[];
}

/**
 * Keeps `pending` timers of a far future, and lets `perSecond` more fall due each second for ten
 * seconds, while a fold runs whenever the one before has ended.
 */
export async function measureTimers(
  sql: postgres.Sql,
  workspaceId: string,
  { pending, perSecond }: { pending: number; perSecond: number },
): Promise<TimerResult> {
  const segmentId = await addSegment(sql, workspaceId);
  for (let from = 0; from < pending; from += batch) {
    await sql`
      insert into private.segment_checks (workspace_id, customer_id, segment_id, check_at)
      select ${workspaceId}, gen_random_uuid(), ${segmentId}, now() + interval '30 days' * random()
        + interval '1 day'
      from generate_series(1, ${Math.min(batch, pending - from)}::integer)`;
  }
  await sql`analyze private.segment_checks`;
  const idleMs = await measureIdle(sql);
  const count = perSecond * 10;
  const start = Date.now() + 3_000 + count / 2;
  await addDue(sql, { workspaceId, segmentId, count, start });
  const commits = await foldUntil(sql, start + 12_000);
  const rows = await sql<{ at: number; due: number }[]>`
    select floor(extract(epoch from c.at) * 1000)::float8 as at,
      floor(extract(epoch from m.marks[1]) * 1000)::float8 + ${day} as due
    from public.segment_changes as c
    join public.identities as i on i.workspace_id = c.workspace_id and i.customer_id = c.customer_id
    join private.feature_marks as m on m.workspace_id = i.workspace_id and m.identity_id = i.id
    where c.workspace_id = ${workspaceId} and c.segment_id = ${segmentId} and c.change = 'left'`;
  return {
    idleMs,
    fired: rows.length,
    early: rows.filter(({ at, due }) => at < due).length,
    lateness: rows.map(({ at, due }) => commits.get(at)! - due),
  };
}

async function addSegment(sql: postgres.Sql, workspaceId: string): Promise<string> {
  const segment = { name: "Lately", condition: { event: "visited", within: "1d" } };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(${workspaceId}, ${sql.json(segment)}) as id`;
  while ((await fold(sql, Date.now())) > 0);
  return row!.id;
}

async function measureIdle(sql: postgres.Sql): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < 200; n++) await fold(sql, Date.now());
  return (performance.now() - started) / 200;
}

/** Adds members whose window ends from `start` on, evenly over ten seconds. */
async function addDue(
  sql: postgres.Sql,
  { workspaceId, segmentId, count, start }: {
    workspaceId: string;
    segmentId: string;
    count: number;
    start: number;
  },
): Promise<void> {
  await sql`
    with people as (
      insert into public.customers (workspace_id, id)
      select ${workspaceId}, private.uuid_v7() from generate_series(1, ${count}::integer)
      returning id
    ), ids as (
      insert into public.identities (workspace_id, kind, value, customer_id)
      select ${workspaceId}, 'anon', 'visitor-' || p.id, p.id from people as p
      returning id, customer_id
    ), timed as materialized (
      select i.id, i.customer_id,
        ${new Date(
    start,
  )}::timestamptz + row_number() over () * interval '10 seconds' / ${count} as due
      from ids as i
    ), marked as (
      insert into private.feature_marks (workspace_id, feature_id, identity_id, marks)
      select ${workspaceId}, f.id, t.id, array[date_trunc('milliseconds', t.due) - interval '1 day']
      from timed as t
      join private.features as f on f.workspace_id = ${workspaceId} and f.event = 'visited'
    ), members as (
      insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
      select ${workspaceId}, ${segmentId}, s.version, t.customer_id, now()
      from timed as t
      join public.segments as s on s.workspace_id = ${workspaceId} and s.id = ${segmentId}
    )
    insert into private.segment_checks (workspace_id, customer_id, segment_id, check_at)
    select ${workspaceId}, t.customer_id, ${segmentId}, date_trunc('milliseconds', t.due)
    from timed as t`;
  await sql`
    update private.segment_lanes set next_check_at = ${new Date(start)}
    where workspace_id = ${workspaceId}`;
}

/** Folds until `end`; returns when the fold of each instant had committed. */
async function foldUntil(sql: postgres.Sql, end: number): Promise<Map<number, number>> {
  const commits = new Map<number, number>();
  while (Date.now() < end) {
    const now = Date.now();
    const done = await fold(sql, now);
    if (done > 0) commits.set(now, Date.now());
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return commits;
}

async function fold(sql: postgres.Sql, now: number): Promise<number> {
  const [row] = await sql<{ done: number }[]>`
    select private.fold_segments(${new Date(now)}) as done`;
  return row!.done;
}
