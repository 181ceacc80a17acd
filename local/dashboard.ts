import { isDashboardStale } from "../dashboard/build.ts";

const build = new URL("../dashboard/build.ts", import.meta.url).href;

/**
 * Builds the dashboard when its sources have changed, in a process of its own: what builds it
 * is not needed afterwards. A failure is reported and does not stop the service.
 */
export async function prepareDashboard(say: (line: string) => void): Promise<void> {
  if (!await isDashboardStale()) return;
  say("Building the dashboard");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", build],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  say(`The dashboard could not be built:\n${new TextDecoder().decode(stderr)}`);
}
