/** Where the service is; the host of the page tells it in `/config.json`. */
export interface Config {
  /** Without a slash at the end. */
  baseUrl: string;
  publishableKey: string;
}

/** Checked by hand: a schema library would be loaded before anything is shown. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch("/config.json");
  const { supabase_url: url, publishable_key: key }: Record<string, unknown> = await response
    .json().catch(() => ({}));
  if (!response.ok || typeof url !== "string" || typeof key !== "string") {
    throw new Error('Cannot read "/config.json": expected "supabase_url" and "publishable_key"');
  }
  return { baseUrl: new URL(url, location.origin).href.replace(/\/$/, ""), publishableKey: key };
}
