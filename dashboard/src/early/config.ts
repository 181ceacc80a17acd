/** Address of the service, which the page's host publishes in `/config.json`. */
export interface Config {
  /** Has no trailing slash. */
  baseUrl: string;
  publishableKey: string;
  /** True for the local stack, which has an inbox for the mails of its senders. */
  hasInbox: boolean;
}

let config: Promise<Config> | undefined;

/** Reads the configuration, once. */
export function loadConfig(): Promise<Config> {
  return config ??= readConfig();
}

/** Checks by hand: a schema library would delay the first page. */
async function readConfig(): Promise<Config> {
  const response = await fetch("/config.json");
  const { supabase_url: url, publishable_key: key, has_inbox }: Record<string, unknown> =
    await response.json().catch(() => ({}));
  if (!response.ok || typeof url !== "string" || typeof key !== "string") {
    throw new Error('Cannot read "/config.json": expected "supabase_url" and "publishable_key"');
  }
  return {
    baseUrl: new URL(url, location.origin).href.replace(/\/$/, ""),
    publishableKey: key,
    hasInbox: has_inbox === true,
  };
}
