import { join } from "node:path";
import { type Pooler, startPooler } from "./pooler.ts";

export interface PgDogOptions {
  /** Addresses of the databases, by the name under which clients reach them. */
  databases: Record<string, string>;
  /** Names and passwords of those who may log in. */
  logins: Record<string, string>;
  /** Connections to each database, for each login. */
  size: number;
}

/**
 * Starts a PgDog in transaction mode, with one name per database.
 *
 * @throws Error with its log when it does not come up.
 */
export function startPgDog({ databases, logins, size }: PgDogOptions): Promise<Pooler> {
  const entries = Object.entries(databases).map(([name, url]) => {
    const { port, pathname } = new URL(url);
    return `
      [[databases]]
      name = "${name}"
      host = "127.0.0.1"
      port = ${port}
      database_name = "${pathname.slice(1)}"`;
  });
  const users = Object.entries(logins).flatMap(([login, password]) =>
    Object.keys(databases).map((database) => `
      [[users]]
      name = "${login}"
      database = "${database}"
      password = "${password}"`)
  );
  return startPooler({
    name: "pgdog",
    logins,
    database: Object.keys(databases)[0]!,
    describe: ({ port }) => ({
      "pgdog.toml": `
        [general]
        host = "127.0.0.1"
        port = ${port}
        pooler_mode = "transaction"
        default_pool_size = ${size}
        ${entries.join("\n")}`,
      "users.toml": users.join("\n"),
    }),
    args: (dir) => ["--config", join(dir, "pgdog.toml"), "--users", join(dir, "users.toml")],
  });
}
