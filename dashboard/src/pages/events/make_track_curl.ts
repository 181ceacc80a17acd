import type { TrackedEvent } from "../../api/types.ts";
import { quoteShell } from "../../format/quote_shell.ts";
import { sortKeys } from "../../format/sort_keys.ts";

/** Stands for the key, which only its owner has. */
const keyPlaceholder = "YOUR_KEY";

/** Returns a command that sends the same event again, as one that happens now. */
export function makeTrackCurl(event: TrackedEvent, baseUrl: string): string {
  const { external_id, anon_id, name, properties } = event;
  const body = {
    ...external_id !== null && { external_id },
    ...anon_id !== null && { anon_id },
    name,
    properties: sortKeys(properties),
  };
  return [
    `curl ${quoteShell(`${baseUrl}/functions/v1/track`)}`,
    `-H ${quoteShell(`Authorization: Bearer ${keyPlaceholder}`)}`,
    `-H ${quoteShell("Content-Type: application/json")}`,
    `--data-raw ${quoteShell(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n  ");
}
