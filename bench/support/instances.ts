import { readFileSync } from "node:fs";
import { serve, type UnpackedFunction } from "../../testing/service/hosted_functions.ts";

/** An instance of a function: a process of its own, on the platform's version of Deno. */
export interface Instance {
  /** With the function's name. */
  url: string;
  /** From the start of the process to the first response, in ms. */
  startMs: number;
  /** Memory that the process holds now, in MiB. */
  readMemory(): number;
}

export interface InstanceOptions {
  name: string;
  bundle: UnpackedFunction;
  env: Record<string, string>;
  /** First request; any response counts. */
  first: RequestInit;
}

const pageSize = 4096;

/** Starts an instance, and resolves when it has responded to a request. */
export async function startInstance(
  cleanup: AsyncDisposableStack,
  { name, bundle, env, first }: InstanceOptions,
): Promise<Instance> {
  const startedAt = performance.now();
  const served = cleanup.use(await serve(bundle, { env }));
  const url = `${served.url}/${name}`;
  const response = await fetch(url, first);
  await response.body?.cancel();
  return {
    url,
    startMs: performance.now() - startedAt,
    readMemory: () => readMemory(served.pid),
  };
}

function readMemory(pid: number): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
    return Number(pages) * pageSize / 2 ** 20;
  } catch {
    // Only Linux has it.
    return NaN;
  }
}
