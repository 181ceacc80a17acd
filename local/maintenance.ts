import postgres from "postgres";

const HOUR_MS = 60 * 60 * 1000;

/** What a schedule inside the database does where there is pg_cron: now, and every hour. */
export async function startMaintenance(databaseUrl: string): Promise<AsyncDisposable> {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, idle_timeout: 60 });
  await maintain(sql);
  const timer = setInterval(() => maintain(sql).catch(report), HOUR_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sql.end({ timeout: 1 });
    },
  };
}

async function maintain(sql: postgres.Sql): Promise<void> {
  await sql`select private.ensure_partitions()`;
  await sql`select private.drop_expired_partitions()`;
  let forgotten = 0;
  do {
    const [row] = await sql`select private.forget_idempotency_keys() as forgotten`;
    forgotten = row?.forgotten;
  } while (forgotten > 0);
}

function report(error: unknown): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`Cannot run the maintenance: ${error}\n`));
}
