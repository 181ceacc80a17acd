import { join } from "node:path";
import { type Pooler, startPooler } from "./pooler.ts";

export interface PgBouncerOptions {
  /** Address of the server that it stands in front of. */
  url: string;
  mode: "session" | "transaction";
  /** Names and passwords of those who may log in. */
  logins: Record<string, string>;
  /** Connections to the server, for each login. */
  size: number;
  /** Startup parameters that it drops silently. */
  ignored?: readonly string[];
}

/**
 * Starts a PgBouncer in front of all databases of a server.
 *
 * @throws Error with its log when it does not come up.
 */
export function startPgBouncer(options: PgBouncerOptions): Promise<Pooler> {
  const { url, logins } = options;
  const users = Object.entries(logins).map(([name, word]) => `"${name}" "${word}"\n`);
  return startPooler({
    name: "pgbouncer",
    logins,
    database: new URL(url).pathname.slice(1),
    describe: (place) => ({ users: users.join(""), config: describe(options, place) }),
    args: (dir) => ["-q", join(dir, "config")],
  });
}

function describe(
  { url, mode, size, ignored = [] }: PgBouncerOptions,
  { dir, port }: { dir: string; port: number },
): string {
  return `
    [databases]
    * = host=127.0.0.1 port=${new URL(url).port}

    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = ${join(dir, "users")}
    pool_mode = ${mode}
    default_pool_size = ${size}
    max_client_conn = 200
    ignore_startup_parameters = ${["extra_float_digits", ...ignored].join(",")}
  `.replaceAll(/^ +/gm, "");
}
