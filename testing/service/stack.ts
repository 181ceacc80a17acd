import { type CollectedText, collectText } from "./collected_text.ts";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { clusterDir, openDataDir } from "../../local/data_dir.ts";
import type { StackInfo } from "../../local/stack.ts";
import { loadState, saveState } from "../../local/state.ts";
import { copyCluster, findClusterFiles } from "../postgres/cluster_copy.ts";

/** Local stack that runs in a process of its own. */
export interface TestStack {
  info: StackInfo;
  /** Of the service; Postgres has others. */
  pid: number;
  dataDir: string;
  /** Seconds from the command to its "Ready" line. */
  startSeconds: number;
  /** Text that it has printed so far, and will print. */
  printed: CollectedText;
  /** Asks it to end as Ctrl-C does, and waits; returns the exit code. */
  stop(): Promise<number>;
  /** Ends it as a crash does: nothing can clean up. */
  kill(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Arguments and environment of `deno task start`. */
export interface StackCommand {
  args?: string[];
  env?: Record<string, string>;
  /** Kept afterwards; default: a temporary one, removed afterwards. */
  dataDir?: string;
  /**
   * True starts without any data, as the first start on a machine does. Otherwise a temporary
   * directory begins with the migrated database of the test run, which takes a second, not six.
   * @default false
   */
  isEmpty?: boolean;
}

/** Output of a start that failed. */
export interface FailedStart {
  code: number;
  stdout: string;
  stderr: string;
}

const start = fileURLToPath(new URL("../../local/start.ts", import.meta.url));

/**
 * Runs the local stack as a process of its own on a free port, until the scope ends.
 *
 * @throws Error with what it printed when it does not come up.
 */
export async function startTestStack(options: StackCommand = {}): Promise<TestStack> {
  const dataDir = options.dataDir ?? await (options.isEmpty ? makeOpenDir() : makeMigratedDir());
  const started = performance.now();
  const child = command(dataDir, { ...options, stderr: "inherit" }).spawn();
  const printed = collectText(child.stdout);
  const isReady = await printed.waitFor((text) => text.includes("\nReady in "));
  const startSeconds = (performance.now() - started) / 1000;
  const end = (signal: Deno.Signal) => endProcess(child, printed, signal);
  const stop = () => end("SIGTERM");
  if (!isReady) {
    await stop();
    throw new Error(`Cannot start the stack: ${printed.text()}`);
  }
  return {
    info: JSON.parse(await Deno.readTextFile(join(dataDir, "local.json"))),
    pid: child.pid,
    dataDir,
    startSeconds,
    stop,
    printed,
    kill: async () => void await end("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await stop();
      if (!options.dataDir) await removeDataDir(dataDir);
    },
  };
}

/** Makes a data directory whose database is migrated, as a stopped stack leaves it. */
export async function makeMigratedDir(): Promise<string> {
  const path = await makeOpenDir();
  const files = findClusterFiles();
  if (files === null) return path;
  using dir = openDataDir(path);
  const parent = clusterDir(dir);
  await Deno.mkdir(parent);
  if (!await copyCluster(files.dir, parent)) return path;
  const state = await loadState(dir);
  saveState(dir, { ...state, database_password: files.password });
  return path;
}

async function makeOpenDir(): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  // As root, Postgres runs as another user, who must be able to enter.
  await Deno.chmod(path, 0o711);
  return path;
}

/** Runs the command where it is expected to end without being stopped. */
export async function runStart(
  options: StackCommand & { dataDir: string },
): Promise<FailedStart> {
  const { code, stdout, stderr } = await command(options.dataDir, {
    ...options,
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Removes what a stack left, also a database that had to live elsewhere. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const cluster = join(dataDir, "postgres", "cluster");
  const target = await Deno.realPath(cluster).catch(() => null);
  if (target) await Deno.remove(target, { recursive: true });
  await Deno.remove(dataDir, { recursive: true });
}

function command(
  dataDir: string,
  { args = [], env = {}, stderr }: StackCommand & { stderr: "inherit" | "piped" },
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", start, ...args, ...cellArguments(args, env)],
    env: { PORT: "0", DATA_DIR: dataDir, SUPABASE_DB_URL: "", ...env },
    stdout: "piped",
    stderr,
  });
}

/** Returns the arguments for the cells that TEST_CELLS asks for; an existing database has one. */
function cellArguments(args: readonly string[], env: Record<string, string>): string[] {
  const cells = Deno.env.get("TEST_CELLS");
  const hasOwn = args.includes("--cells") || args.includes("--database-url") ||
    Boolean(env.SUPABASE_DB_URL);
  return cells === undefined || cells === "" || hasOwn ? [] : ["--cells", cells];
}

async function endProcess(
  child: Deno.ChildProcess,
  printed: CollectedText,
  signal: Deno.Signal,
): Promise<number> {
  try {
    child.kill(signal);
  } catch {
    // It has ended already.
  }
  const { code } = await child.status;
  await printed.end();
  return code;
}
