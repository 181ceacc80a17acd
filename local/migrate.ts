import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";

export interface Migration {
  /** Leading digits of the file name: what the Supabase CLI compares. */
  version: string;
  name: string;
  file: string;
  text: string;
}

export const migrationsDir = fileURLToPath(new URL("../supabase/migrations", import.meta.url));

/** The migrations of a directory, in the order they are applied. */
export function readMigrations(directory = migrationsDir): Migration[] {
  return readdirSync(directory)
    .filter((file) => /^\d+_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: file.slice(0, file.indexOf("_")),
      name: basename(file, ".sql").slice(file.indexOf("_") + 1),
      file,
      text: readFileSync(join(directory, file), "utf8"),
    }));
}

/**
 * Applies what is missing, each migration in a transaction of its own, and records it where the
 * Supabase CLI does, so that either can continue where the other stopped. Safe to run from several
 * processes at once.
 *
 * @returns the files that were applied by this call.
 * @throws Error naming the migration and the line; what came before it stays applied.
 */
export async function applyMigrations(
  url: string,
  migrations: Migration[] = readMigrations(),
): Promise<string[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await createHistory(sql);
    await requireKnown(sql, migrations);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (await applyMigration(sql, migration)) applied.push(migration.file);
    }
    return applied;
  } finally {
    await sql.end();
  }
}

async function createHistory(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await lockHistory(tx);
    await tx.unsafe(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (
        version text not null primary key,
        statements text[],
        name text
      );
    `);
  });
}

async function applyMigration(sql: postgres.Sql, migration: Migration): Promise<boolean> {
  return await sql.begin(async (tx) => {
    await lockHistory(tx);
    const [known] = await tx<{ statements: string[] | null }[]>`
      select to_jsonb(statements) as statements
      from supabase_migrations.schema_migrations where version = ${migration.version}`;
    if (known) {
      requireSame(migration, known.statements ?? []);
      return false;
    }
    try {
      await tx.unsafe(migration.text);
    } catch (error) {
      throw describeFailure(migration, error);
    }
    // The CLI records the file statement by statement, but reads nothing except the version.
    await tx`
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${migration.version}, ${migration.name}, array[${migration.text}])`;
    return true;
  });
}

/** Refuses a database with a migration of ours, recorded by applyMigrations(), that no file has. */
async function requireKnown(sql: postgres.Sql, migrations: Migration[]): Promise<void> {
  const [unknown] = await sql<{ file: string }[]>`
    select version || '_' || name || '.sql' as file
    from supabase_migrations.schema_migrations
    where version <> all (string_to_array(${migrations.map(({ version }) => version).join()}, ','))
      and cardinality(statements) = 1 and statements[1] like '-- Purpose:%'
    order by version limit 1`;
  if (!unknown) return;
  throw new Error(
    `Cannot continue from migration "${unknown.file}": it was removed since it was applied to this ` +
      "database; start on a new one (--fresh)",
  );
}

/** Refuses a migration that changed after it was applied; records of the CLI cannot be compared. */
function requireSame({ file, text }: Migration, recorded: string[]): void {
  if (recorded.length !== 1 || recorded[0] === text) return;
  throw new Error(
    `Cannot continue from migration "${file}": it was changed since it was applied to this database; ` +
      "start on a new one (--fresh)",
  );
}

async function lockHistory(tx: postgres.TransactionSql): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('signalpost.migrations', 0))`;
}

function describeFailure(migration: Migration, cause: unknown): Error {
  if (!(cause instanceof postgres.PostgresError)) return cause as Error;
  const line = migration.text.slice(0, Number(cause.position ?? 1) - 1).split("\n").length;
  const place = cause.position ? `, line ${line}` : "";
  return new Error(`Cannot apply migration "${migration.file}"${place}: ${cause.message}`, {
    cause,
  });
}
