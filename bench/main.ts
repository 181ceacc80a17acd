import { readdirSync } from "node:fs";

interface Benchmark {
  /** Prints what it measures; `args` are the flags after its name. */
  run(args: string[]): Promise<void>;
}

const here = new URL(".", import.meta.url);

const [name, ...args] = Deno.args;
if (name === undefined || !listNames().includes(name)) {
  Deno.stderr.writeSync(new TextEncoder().encode(
    `Cannot run the benchmark "${name ?? ""}": choose one of ${listNames().join(", ")}\n`,
  ));
  Deno.exit(1);
}
const benchmark: Benchmark = await import(new URL(`${name}.ts`, here).href);
await benchmark.run(args);

/** Each benchmark is a file next to this one; its parts are in `support`. */
function listNames(): string[] {
  return readdirSync(here)
    .filter((file) => file.endsWith(".ts") && file !== "main.ts")
    .map((file) => file.replace(/\.ts$/, ""))
    .sort();
}
