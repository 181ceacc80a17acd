import type { StackInfo } from "../../local/stack.ts";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";

/** Client of the api with the key of the demo workspace. */
export type SampleApi = ReturnType<typeof createSampleApi>;

/** Creates a client of the api with the key of the demo workspace. */
export function createSampleApi({ base_url, api_key }: StackInfo) {
  return createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
}

/** Sends entries with the key of the demo workspace; returns the response. */
export async function sendEntries({ base_url, api_key }: StackInfo, entries: readonly object[]) {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ events: entries }),
  });
  if (!response.ok) throw new Error(`Cannot send entries: ${await response.text()}`);
  return await response.json();
}

/** Reads JSON from an address. */
export async function readJson<Body>(url: string): Promise<Body> {
  return await (await fetch(url)).json();
}
