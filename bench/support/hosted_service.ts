import { join } from "node:path";
import postgres from "postgres";
import { applyMigrations } from "../../local/migrate.ts";
import { startPostgres } from "../../local/postgres/postgres.ts";
import { startSchedule } from "../../local/schedule.ts";
import { serve, type UnpackedFunction } from "../../testing/service/hosted_functions.ts";
import { describePlatform, dispatchKey } from "../../testing/service/hosted_world.ts";
import { createTestSessions } from "../../testing/service/sessions.ts";
import { bundleFunction, listFunctions } from "../../tools/bundle_functions.ts";

/**
 * The service as it is hosted: each function a bundle on the hosted Deno and a process of its own, a
 * durable Postgres, and the schedule.
 */
export interface HostedService extends AsyncDisposable {
  sql: postgres.Sql;
  /** Address of each function, by its name. */
  urls: Record<string, string>;
  /** A new user with a confirmed address, as a session token. */
  signUp(email: string): Promise<string>;
}

export async function startHostedService(): Promise<HostedService> {
  await using cleanup = new AsyncDisposableStack();
  const databaseUrl = await startDatabase(cleanup);
  const sql = cleanup.adopt(
    postgres(databaseUrl, { max: 2, fetch_types: false, onnotice: () => {} }),
    (sql) => sql.end({ timeout: 5 }),
  );
  const sessions = await createTestSessions();
  const environment = {
    ...describePlatform({ databaseUrl, jwks: sessions.jwks }),
    LOG_LEVEL: "warn",
  };
  const urls: Record<string, string> = {};
  for (const name of listFunctions()) {
    const unpacked = cleanup.use(await writeBundle(name));
    urls[name] = `${cleanup.use(await serve(unpacked, { env: environment })).url}/${name}`;
  }
  const wake = async (name: string) => {
    const headers = { apikey: dispatchKey };
    const response = await fetch(urls[name]!, { method: "POST", headers });
    await response.body?.cancel();
  };
  cleanup.use(await startSchedule({ databaseUrl, wake }));
  const kept = cleanup.move();
  return {
    sql,
    urls,
    async signUp(email) {
      const id = crypto.randomUUID();
      await sql`
        insert into auth.users (id, email, email_confirmed_at) values (${id}, ${email}, now())`;
      return await sessions.sign(id);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Starts a durable, migrated Postgres of its own; returns its URL. */
export async function startDatabase(cleanup: AsyncDisposableStack): Promise<string> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-bench-" });
  // As root, Postgres runs as another user, who must be able to enter.
  await Deno.chmod(dir, 0o711);
  cleanup.defer(() => Deno.remove(dir, { recursive: true }));
  const server = await startPostgres({ dir, password: crypto.randomUUID() });
  cleanup.defer(() => server.stop());
  await applyMigrations(server.url);
  return server.url;
}

/** Writes a function as it is deployed into a folder of its own. */
export async function writeBundle(name: string): Promise<UnpackedFunction> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-bench-" });
  const { code } = await bundleFunction(name);
  await Deno.writeTextFile(join(dir, "index.js"), code);
  const remove = () => Deno.remove(dir, { recursive: true });
  return { dir, entrypoint: "index.js", configuration: "", [Symbol.asyncDispose]: remove };
}
