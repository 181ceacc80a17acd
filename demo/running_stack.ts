import { parseArgs } from "node:util";
import { join } from "node:path";
import { readDataDir } from "../local/options.ts";

/** Addresses and keys of a running stack. */
export interface RunningStack {
  base_url: string;
  db_url: string;
  workspace_id: string;
  api_key: string;
}

export interface Environment {
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * The stack that was started with the same `--data-dir` or `DATA_DIR`.
 *
 * @throws Error telling how to start one.
 */
export async function findStack({ args, env }: Environment): Promise<RunningStack> {
  const { values } = parseArgs({ args, options: { "data-dir": { type: "string" } } });
  const file = join(readDataDir(values["data-dir"], env), "local.json");
  const stack: RunningStack = JSON.parse(await readLocal(file));
  try {
    await (await fetch(`${stack.base_url}/functions/v1/track`)).body?.cancel();
  } catch (cause) {
    throw new Error(
      `Cannot reach the service at "${stack.base_url}": start it with "deno task start" first`,
      { cause },
    );
  }
  return stack;
}

async function readLocal(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (cause) {
    throw new Error(
      `Cannot find the running service: "${file}" is not there. ` +
        'Start it with "deno task start" in another terminal',
      { cause },
    );
  }
}
