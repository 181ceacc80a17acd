import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CollectedText, collectText } from "./collected_text.ts";
import { findHostedDeno } from "./hosted_deno.ts";
import type { Upload } from "./management_api.ts";

/** Permissions of a user worker of the platform. */
const permissions = ["--allow-env", "--allow-net", "--allow-read", "--allow-write"]
  .concat(["--allow-sys=hostname"]);

const hostedDeno = findHostedDeno() ?? "deno is missing";

/** Files of one function as they were uploaded, in an otherwise empty directory. */
export interface UnpackedFunction extends AsyncDisposable {
  dir: string;
  /** Below `dir`. */
  entrypoint: string;
  /** Below `dir`; empty when the upload names none. */
  configuration: string;
}

/** A function that serves, as a process of its own. */
export interface HostedFunction extends AsyncDisposable {
  /** URL it listens on, without its name. */
  url: string;
  /** Of its process. */
  pid: number;
  /** Text that it logs. */
  printed: CollectedText;
  /** Rejects, with the text it printed, when the process ends unexpectedly. */
  died: Promise<never>;
}

/** Unpacks an uploaded function into a folder, as the platform does. */
export async function unpack({ metadata, files }: Upload): Promise<UnpackedFunction> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
  }
  return {
    dir,
    entrypoint: metadata.entrypoint_path,
    configuration: metadata.import_map_path,
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/**
 * Measures a function with `deno info` of the hosted version: its size in bytes, and the whole
 * output.
 */
export async function measure(
  unpacked: UnpackedFunction,
): Promise<{ bytes: number; text: string }> {
  const { text, code } = await runHosted("info", unpacked);
  const [, size = "", unit = ""] = /^size: ([\d.]+)(B|KB|MB|GB)$/m.exec(text) ?? [];
  if (code !== 0 || size === "") throw new Error(`Cannot measure a function: ${text}`);
  return { bytes: Number(size) * 1024 ** ["B", "KB", "MB", "GB"].indexOf(unit), text };
}

/**
 * Serves a function with the hosted Deno, unless another one is given, and a user worker's
 * permissions, on a free port. Nothing can be downloaded: the cache is empty and stays so.
 *
 * @throws Error with what it printed when it does not come up.
 */
export async function serve(
  unpacked: UnpackedFunction,
  { env, deno = hostedDeno }: { env: Record<string, string>; deno?: string | undefined },
): Promise<HostedFunction> {
  const flags = ["--cached-only", "--no-prompt", "--host=127.0.0.1", "--port=0"];
  const child = new Deno.Command(deno, {
    args: ["serve", ...flags, ...permissions, ...locate(unpacked).args],
    cwd: locate(unpacked).cwd,
    env: { ...isolatedEnvironment(unpacked.dir), ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [printed, problems] = [collectText(child.stdout), collectText(child.stderr)];
  let isWanted = true;
  const died = child.status.then(async ({ code }) => {
    if (!isWanted) return await new Promise<never>(() => {});
    await problems.waitFor(() => false);
    throw new Error(`"${unpacked.entrypoint}" ended with ${code}: ${problems.text()}`);
  });
  died.catch(() => isWanted = false);
  const stop = async () => {
    isWanted = false;
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await child.status;
    await Promise.all([printed.end(), problems.end()]);
  };
  await problems.waitFor((text) => text.includes("Listening on "));
  const [, url] = /Listening on (http:\/\/\S+?)\/?\s/.exec(problems.text()) ?? [];
  if (url === undefined) {
    await stop();
    throw new Error(`Cannot serve "${unpacked.entrypoint}": ${problems.text()}`);
  }
  return { url, pid: child.pid, printed, died, [Symbol.asyncDispose]: stop };
}

/** As the platform reads it: the named configuration, or else one from the entry point upwards. */
function locate(
  { dir, entrypoint, configuration }: UnpackedFunction,
): { cwd: string; args: string[] } {
  const named = configuration === "" ? [] : [`--config=${join(dir, configuration)}`];
  return { cwd: dirname(join(dir, entrypoint)), args: [...named, basename(entrypoint)] };
}

async function runHosted(
  command: string,
  unpacked: UnpackedFunction,
): Promise<{ code: number; text: string }> {
  const { cwd, args } = locate(unpacked);
  const { code, stdout, stderr } = await new Deno.Command(hostedDeno, {
    args: [command, ...args],
    cwd,
    env: isolatedEnvironment(unpacked.dir),
    clearEnv: true,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

function isolatedEnvironment(dir: string): Record<string, string> {
  return { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_DIR: join(dir, ".deno") };
}
