import { fileURLToPath } from "node:url";

/** Result of a task. */
export interface TaskOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a script of the project, as its task does, to its end. `script` is relative to the root. */
export async function runTask(script: string, args: string[] = []): Promise<TaskOutput> {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", path, ...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
