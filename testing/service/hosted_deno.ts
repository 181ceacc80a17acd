/** The version that the platform's runtime is built on. */
const version = "2.1.4";

/** Variable with the path, which the test run sets: npx takes two seconds to find it. */
export const hostedDenoVariable = "TEST_HOSTED_DENO";

/** Path of the Deno that the platform runs, from npm; null when it cannot be had. */
export function findHostedDeno(): string | null {
  const known = Deno.env.get(hostedDenoVariable);
  if (known !== undefined) return known;
  const { success, stdout } = runNpx(["eval", "--no-config", "console.log(Deno.execPath())"]);
  const path = new TextDecoder().decode(stdout).trim();
  return success && path !== "" ? path : null;
}

function runNpx(args: string[]): { success: boolean; stdout: Uint8Array } {
  try {
    return new Deno.Command("npx", {
      args: ["--yes", "--prefer-offline", `deno@${version}`, ...args],
      // Without a network this ends at once, not after minutes.
      env: { npm_config_fetch_retries: "0" },
      stdin: "null",
      stderr: "null",
    }).outputSync();
  } catch {
    return { success: false, stdout: new Uint8Array() };
  }
}
