import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../local/postgres/ports.ts";
import { chooseSystemUser } from "../../local/postgres/system_user.ts";
import { findOnPath } from "../run/programs.ts";

export interface PgBouncerOptions {
  /** Address of the database that it stands in front of. */
  url: string;
  mode: "session" | "transaction";
  /** Names and passwords of those who may log in. */
  logins: Record<string, string>;
  /** Connections to the server, for each login. */
  size: number;
  /** Startup parameters that it drops silently. */
  ignored?: readonly string[];
}

/** A PgBouncer of the test's own. */
export interface PgBouncer extends AsyncDisposable {
  /** Ends it, and every connection with it. */
  end(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** The address by which this login reaches the database. */
  urlOf(login: string): string;
}

/**
 * Starts a PgBouncer, which takes connections when this resolves.
 *
 * @throws Error with its log when it ends instead.
 */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-pgbouncer-" });
  // It does not run as root, and its user must be able to enter.
  chmodSync(dir, 0o711);
  const user = await chooseSystemUser(dir);
  const port = findFreePort();
  const users = Object.entries(options.logins).map(([name, word]) => `"${name}" "${word}"\n`);
  for (
    const [name, text] of [["users", users.join("")], ["config", describe(options, dir, port)]]
  ) {
    const path = join(dir, name!);
    writeFileSync(path, text!, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
  }
  const command = new Deno.Command(findOnPath("pgbouncer")!, {
    args: ["-q", join(dir, "config")],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  let server = await spawn(command, port);
  return {
    end: () => server.end(),
    async start() {
      server = await spawn(command, port);
    },
    urlOf(login) {
      const url = new URL(options.url);
      Object.assign(url, { username: login, password: options.logins[login], port });
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      await server.end();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function spawn(command: Deno.Command, port: number): Promise<{ end(): Promise<void> }> {
  const child = command.spawn();
  const said = new Response(child.stderr).text();
  const isUp = await Promise.race([
    waitForPort(port).then(() => true),
    child.status.then(() => false),
  ]);
  if (!isUp) throw new Error(`Cannot start PgBouncer: ${await said}`);
  return {
    async end() {
      try {
        // At once: more politely, it waits for its clients.
        child.kill("SIGTERM");
      } catch {
        // It has ended already.
      }
      await child.status;
      await said;
    },
  };
}

function describe({ url, mode, size, ignored = [] }: PgBouncerOptions, dir: string, port: number) {
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

async function waitForPort(port: number): Promise<void> {
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
