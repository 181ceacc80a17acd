import postgres from "postgres";
import { clusterDir, type DataDir } from "./data_dir.ts";
import { startPostgres } from "./postgres/postgres.ts";

/** The database a stack runs on, its own or a given one. */
export interface StackDatabase {
  url: string;
  /** Resolves when the server ended unexpectedly; a given server is not watched. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the embedded Postgres in the data directory. */
export async function startDatabase(
  dir: DataDir,
  options: { password: string; preferredPort: number; isLogical: boolean },
): Promise<StackDatabase> {
  return await startPostgres({ dir: clusterDir(dir), ...options });
}

/**
 * Takes an existing server.
 *
 * @throws Error with one sentence when it is unreachable, of another version, without the rights
 * that are needed, or managed by Supabase itself.
 */
export async function useDatabase(url: string): Promise<StackDatabase> {
  const sql = postgres(url, { max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => {} });
  try {
    await checkServer(sql, describe(url));
  } finally {
    await sql.end();
  }
  return { url, exited: new Promise(() => {}), stop: () => Promise.resolve() };
}

async function checkServer(sql: postgres.Sql, name: string): Promise<void> {
  const [server] = await sql`
    select
      current_setting('server_version_num')::integer / 10000 as major,
      r.rolsuper or (r.rolcreaterole and pg_has_role(d.datdba, 'member')) as may_migrate,
      to_regclass('auth.schema_migrations') is not null as is_project
    from pg_roles as r, pg_database as d
    where r.rolname = current_user and d.datname = current_database()
  `.catch((error) => {
    throw new Error(`Cannot reach the database at "${name}": ${reasonOf(error)}`, { cause: error });
  });
  if (server?.major < 15 || server?.major > 18) {
    throw new Error(
      `Cannot use the database at "${name}": it is Postgres ${server?.major}, 15 to 18 are known`,
    );
  }
  if (!server?.may_migrate) {
    throw new Error(
      `Cannot use the database at "${name}": the user must be a superuser, or own the database ` +
        "and have createrole",
    );
  }
  if (server?.is_project) {
    throw new Error(
      `Cannot use the database at "${name}": it belongs to a Supabase project, which runs its ` +
        "own Auth; deploy with the Supabase CLI instead",
    );
  }
}

function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // One that tried several addresses has its reasons inside and no message of its own.
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return inner instanceof Error ? inner.message : String(inner);
}
