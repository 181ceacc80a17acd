import { z } from "zod";

const configSchema = z.object({ supabase_url: z.string(), publishable_key: z.string() });

/** Where the service is; the host of the page tells it in `/config.json`. */
export interface Config {
  /** Without a slash at the end. */
  baseUrl: string;
  publishableKey: string;
}

export async function loadConfig(): Promise<Config> {
  const response = await fetch("/config.json");
  if (!response.ok) throw new Error(`Cannot read "/config.json": status ${response.status}`);
  const { supabase_url, publishable_key } = configSchema.parse(await response.json());
  const url = new URL(supabase_url, location.origin);
  return { baseUrl: url.href.replace(/\/$/, ""), publishableKey: publishable_key };
}
