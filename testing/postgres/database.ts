import postgres from "postgres";

/** Database of one test, dropped at its end. */
export interface TestDatabase {
  /** Up to ten connections of the superuser. */
  sql: postgres.Sql;
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A migrated database of the test's own, cloned from the run's template and dropped at the end:
 * `await using db = await createTestDatabase()`.
 *
 * @throws Error outside of `deno task test`, which starts the server.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await createDatabase(environment("TEST_TEMPLATE"));
}

/** Creates an empty database: for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await createDatabase("template0");
}

/**
 * Creates a database that tests of one file clone, with `cloneDatabase`; returns its name. It stays
 * until the end of the run.
 */
export async function createTemplateDatabase(
  prepare: (db: TestDatabase) => Promise<unknown>,
): Promise<string> {
  const name = createName();
  const db = await createDatabase("template0", name);
  await prepare(db);
  await db.sql.end();
  return name;
}

/** Clones a database that nobody is connected to. */
export async function cloneDatabase(name: string): Promise<TestDatabase> {
  return await createDatabase(name);
}

function createName(): string {
  return `test_${crypto.randomUUID().replaceAll("-", "")}`;
}

async function createDatabase(template: string, name = createName()): Promise<TestDatabase> {
  // A copy of the files takes two thirds of the time of the default, which logs every page.
  const statement = `create database ${name} template ${template} strategy file_copy`;
  await runAsAdmin((admin) => admin.unsafe(statement));
  const url = new URL(environment("TEST_DB_URL"));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 10, fetch_types: false, onnotice: () => {} });
  return {
    sql,
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await runAsAdmin((admin) => admin.unsafe(`drop database ${name} with (force)`));
    },
  };
}

async function runAsAdmin(work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(environment("TEST_DB_URL"), { max: 1, fetch_types: false });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function environment(name: string): string {
  const value = Deno.env.get(name);
  if (!value) {
    throw new Error(`Cannot reach the test server: "${name}" is not set, run deno task test`);
  }
  return value;
}
