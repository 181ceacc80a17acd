/** Address of the service, which the page's host publishes in `/config.json`. */
export interface Config {
  /** Has no trailing slash. */
  baseUrl: string;
  publishableKey: string;
}

/** Checks by hand: a schema library would delay the first page. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch("/config.json");
  const { supabase_url: url, publishable_key: key }: Record<string, unknown> = await response
    .json().catch(() => ({}));
  if (!response.ok || typeof url !== "string" || typeof key !== "string") {
    throw new Error('Cannot read "/config.json": expected "supabase_url" and "publishable_key"');
  }
  return { baseUrl: new URL(url, location.origin).href.replace(/\/$/, ""), publishableKey: key };
}
