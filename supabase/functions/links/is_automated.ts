const prefetchHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

// Proxies that load images for the readers of Gmail and Yahoo, and link scanners.
const machines =
  /GoogleImageProxy|ggpht\.com|YahooMailProxy|bot\b|crawl|spider|preview|scan|headless|monitor|barracuda|mimecast|proofpoint|symantec|messagelabs|ironport|forcepoint|fireeye|trendmicro|zscaler|safelinks/i;
const programs =
  /^(?:curl|wget|python|java|okhttp|go-http-client|libwww|axios|node|undici|deno|bun|php|ruby|perl|apache-httpclient|aiohttp|httpx)\b/i;
// Apple Mail Privacy Protection loads every image under this name.
const bareBrowser = /^Mozilla\/[45]\.0$/;

/**
 * Recognizes an open or click that no person made by its headers: a mail proxy, a scanner, a
 * prefetch. The database adds rules of time: see `private.record_visit`.
 */
export function isAutomated(headers: Headers): boolean {
  const isPrefetch = prefetchHeaders.some((name) =>
    /prefetch|prerender|preview/i.test(headers.get(name) ?? "")
  );
  const agent = (headers.get("user-agent") ?? "").trim();
  return isPrefetch || agent === "" || bareBrowser.test(agent) || machines.test(agent) ||
    programs.test(agent);
}
