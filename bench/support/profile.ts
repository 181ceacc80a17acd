import type postgres from "postgres";

/** Longer than Postgres takes to publish its statistics. */
const publishMs = 1_500;
const listed = 8;

/** Makes Postgres add up the time of each function from now on. */
export async function startProfile(sql: postgres.Sql): Promise<void> {
  await sql`alter system set track_functions = 'all'`;
  await sql`select pg_reload_conf()`;
  await waitForStatistics();
  await sql`select pg_stat_reset()`;
}

/** Returns the functions that took most of the time themselves, with their shares. */
export async function readProfile(sql: postgres.Sql): Promise<string> {
  await waitForStatistics();
  const rows = await sql<{ name: string; share: number }[]>`
    select f.funcname as name, f.self_time / sum(f.self_time) over () as share
    from pg_stat_user_functions as f
    order by f.self_time desc
    limit ${listed}`;
  return rows.map(({ name, share }) => `${name} ${(100 * share).toFixed(0)} %`).join(", ");
}

function waitForStatistics(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, publishMs));
}
