import assert from "node:assert/strict";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { startDebianPostgres } from "../../testing/postgres/debian_postgres.ts";

Deno.test("pg_cron before 1.5 runs the schedule once per minute, and the report says so", async () => {
  await using cluster = await startDebianPostgres();
  await applyMigrations(cluster.url);
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} });

  const jobs = await sql`select jobname, schedule from cron.job order by jobname`;
  assert.deepEqual(jobs.map((job) => [job.jobname, job.schedule]), [
    ["signalpost-campaigns", "* * * * *"],
    ["signalpost-delete-cron-runs", "23 3 * * *"],
    ["signalpost-frequent-tasks", "* * * * *"],
    ["signalpost-hourly-tasks", "7 * * * *"],
    ["signalpost-segments", "* * * * *"],
    ["signalpost-wake", "* * * * *"],
    ["signalpost-wake-automation", "* * * * *"],
    ["signalpost-wake-sends", "* * * * *"],
  ]);
  const [row] = await sql`select state, to_do from ops.connect_platform() where part = 'pg_cron'`;
  assert.equal(row!.state, "every minute");
  assert.match(row!.to_do, /^Update pg_cron to 1\.5 or later/);
  assert.equal((await sql`select from cron.job`).length, 8);

  const finished = () =>
    sql`select distinct jobid from cron.job_run_details where status = 'succeeded'`;
  while ((await finished()).length < 2) await sql`select pg_sleep(0.5)`;
  const failed = await sql`
    select command, return_message from cron.job_run_details where status = 'failed'
  `;
  assert.deepEqual([...failed], []);
  await sql.end();
});
