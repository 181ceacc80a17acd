import { existsSync } from "node:fs";
import { join } from "node:path";

/** Programs in the order in which they are preferred: the first has no windows, and is faster. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Returns the path of Chromium: `CHROMIUM_PATH`, or the preferred one on the `PATH`, or null. */
export function findChromium(): string | null {
  const chosen = Deno.env.get("CHROMIUM_PATH");
  if (chosen) return existsSync(chosen) ? chosen : null;
  const directories = (Deno.env.get("PATH") ?? "").split(":");
  const candidates = names.flatMap((name) => directories.map((path) => join(path, name)));
  return [...candidates, mac].find((path) => existsSync(path)) ?? null;
}
