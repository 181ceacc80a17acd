import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemEnvironment, type SystemUser } from "./system_user.ts";

export interface ServerOptions {
  program: string;
  data: string;
  user: SystemUser | null;
  /** Asked at each attempt: between this call and the start, somebody else may take the port. */
  choosePort: () => number;
  durable: boolean;
  /** @default false */
  isLogical?: boolean;
}

export interface RunningServer {
  port: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  child: Deno.ChildProcess;
  exited: Promise<void>;
  data: string;
}

/** Marks a server as ours in `postmaster.opts`, which tells an orphan from somebody else's. */
export const clusterName = "signalpost-local";
const startMs = 60_000;
const stopMs = 30_000;
const pollMs = 20;
const portAttempts = 50;
const portPauseMs = 100;

/**
 * Runs the server program until it accepts connections.
 *
 * @throws Error with the server's own reason when it gives up.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = Date.now() + startMs;
  const log = join(options.data, "server.log");
  for (let attempt = 1;; attempt++) {
    const logged = lstatSync(log, { throwIfNoEntry: false })?.size ?? 0;
    const port = options.choosePort();
    const child = spawnServer({ ...options, port }, log);
    const server = { child, exited: child.status.then(() => {}), data: options.data };
    if (await waitUntilReady(server, deadline)) {
      return { port, exited: server.exited, stop: () => stopServer(server) };
    }
    const reason = existsSync(log) ? readFileSync(log, "utf8").slice(logged) : "";
    // Sessions of a server that was killed need a moment to notice.
    if (reason.includes("still in use") && Date.now() < deadline) continue;
    if (reason.includes("Address already in use") && attempt < portAttempts) {
      await pause(portPauseMs);
      continue;
    }
    throw new Error(`Cannot start Postgres in "${options.data}": ${lastProblem(reason)}`);
  }
}

/**
 * Ends the server when standard input ends: when it is closed, and when this process is killed.
 * The log is a file, because a pipe would break with this process and take the log along.
 */
const guard = `
exec 3<&0
"$@" >> "$0" 2>&1 < /dev/null 3<&- &
server=$!
{ read -r _ <&3; kill -INT $server; } &
guard=$!
wait $server
kill $guard
`;

function spawnServer(options: ServerOptions & { port: number }, log: string): Deno.ChildProcess {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", guard, log, options.program, "-D", options.data, ...flags(options)],
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    cwd: "/",
    clearEnv: true,
    env: systemEnvironment(),
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    // Ctrl-C in a terminal reaches the whole group; the server must outlive the last request.
    detached: true,
  }).spawn();
  child.unref();
  return child;
}

function flags(options: ServerOptions & { port: number }): string[] {
  const settings: Record<string, string | number> = {
    cluster_name: clusterName,
    port: options.port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    shared_buffers: "256MB",
    log_checkpoints: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(options.durable ? {} : { fsync: "off", full_page_writes: "off" }),
    ...(options.isLogical ? { wal_level: "logical" } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function waitUntilReady(server: Server, deadline: number): Promise<boolean> {
  let gone = false;
  server.exited.then(() => gone = true);
  while (!gone && Date.now() < deadline) {
    if (isReady(server.data)) return true;
    await Promise.race([server.exited, pause(pollMs)]);
  }
  if (!gone) await stopServer(server);
  return false;
}

/** The eighth line of `postmaster.pid` is the server's state. */
function isReady(data: string): boolean {
  return readPidFile(data)[7]?.trim() === "ready";
}

function readPidFile(data: string): string[] {
  const file = join(data, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

async function stopServer({ child, exited, data }: Server): Promise<void> {
  // This fails if the server has already ended, which is fine.
  await child.stdin.close().catch(() => {});
  const timeout = setTimeout(() => {
    Deno.kill(Number(readPidFile(data)[0]), "SIGQUIT");
  }, stopMs);
  await exited;
  clearTimeout(timeout);
}

/** The reason in what a program of Postgres has said. */
export function lastProblem(log: string): string {
  const lines = log.trim().split("\n");
  const problem = lines.findLast((line) => /(FATAL|PANIC|ERROR|error): /.test(line)) ??
    lines.at(-1);
  return problem?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s+/, "") || "no reason given";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
