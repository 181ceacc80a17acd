import { cpus, loadavg } from "node:os";

/** Describes the machine in one line, because figures depend on it. */
export function describeMachine(): string {
  const cores = cpus();
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const load = loadavg()[0]?.toFixed(2);
  return `${cores.length} × ${cores[0]?.model.trim() || Deno.build.arch}, ${memory} GiB, ` +
    `Deno ${Deno.version.deno}, load average before: ${load}`;
}
