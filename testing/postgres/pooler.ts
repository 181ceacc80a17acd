import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../local/postgres/ports.ts";
import { chooseSystemUser } from "../../local/postgres/system_user.ts";
import { findOnPath } from "../run/programs.ts";

/** A connection pooler of the test's own. */
export interface Pooler extends AsyncDisposable {
  /** Ends it, and every connection with it. */
  end(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Returns the address by which this login reaches a database, by default the first one. */
  urlOf(login: string, database?: string): string;
}

/** A program that pools connections. */
export interface PoolerProgram {
  name: "pgbouncer" | "pgdog";
  /** Names and passwords of those who may log in. */
  logins: Record<string, string>;
  /** Name of the database that clients reach by default. */
  database: string;
  /** Returns its configuration files by name, for this folder and port. */
  describe: (place: { dir: string; port: number }) => Record<string, string>;
  /** Arguments that name the configuration in this folder. */
  args: (dir: string) => string[];
}

/**
 * Starts a pooler, which takes connections when this resolves.
 *
 * @throws Error with its log when it ends instead.
 */
export async function startPooler(
  { name, logins, database: first, describe, args }: PoolerProgram,
): Promise<Pooler> {
  const dir = await Deno.makeTempDir({ prefix: `signalpost-${name}-` });
  // PgBouncer does not run as root, and its user must be able to enter.
  chmodSync(dir, 0o711);
  const user = await chooseSystemUser(dir);
  const port = findFreePort();
  for (const [file, text] of Object.entries(describe({ dir, port }))) {
    const path = join(dir, file);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
  }
  const command = new Deno.Command(findOnPath(name)!, {
    args: args(dir),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  let server = await spawn(command, { name, port });
  return {
    end: () => server.end(),
    async start() {
      server = await spawn(command, { name, port });
    },
    urlOf: (login, database = first) =>
      `postgresql://${login}:${encodeURIComponent(logins[login]!)}@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      await server.end();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function spawn(
  command: Deno.Command,
  { name, port }: { name: string; port: number },
): Promise<{ end(): Promise<void> }> {
  const child = command.spawn();
  const said = new Response(child.stderr).text();
  const isUp = await Promise.race([
    waitForPort(port).then(() => true),
    child.status.then(() => false),
  ]);
  if (!isUp) throw new Error(`Cannot start ${name}: ${await said}`);
  return {
    async end() {
      try {
        // At once: more politely, it waits for its clients.
        child.kill(name === "pgdog" ? "SIGKILL" : "SIGTERM");
      } catch {
        // It has ended already.
      }
      await child.status;
      await said;
    },
  };
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
