import { readFileSync } from "node:fs";

/** Result of a command. */
export interface CommandOutput {
  code: number;
  /** Both streams. */
  text: string;
}

/** The commands of a document's first shell block that deploys, as written, without the exports. */
export function readDeployCommands(document: string): string[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  const block = blocks.find((block) => block.includes("functions deploy")) ?? "";
  return block.split("\n").filter((line) => line.startsWith("npx "));
}

/** Runs one command in a shell, as a person would paste it. */
export async function runCommand(
  command: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<CommandOutput> {
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", command],
    cwd,
    env: { DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1", NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
