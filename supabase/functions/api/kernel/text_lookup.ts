import { z } from "zod";
import { withDeadline } from "../../_shared/event_loop/with_deadline.ts";

/** Lists the TXT records of a DNS name, one text each; null if DNS does not answer. */
export type TextLookup = (name: string) => Promise<string[] | null>;

export interface TextLookupOptions {
  /** @default `Deno.resolveDns` */
  resolve?: (name: string) => Promise<string[][]>;
  /** Asked over HTTPS (RFC 8484, JSON) if the runtime cannot resolve. @default Cloudflare's */
  resolverUrl?: string;
  /** @default the global `fetch` */
  fetch?: (request: Request) => Promise<Response>;
  /** Longest wait for each answer. @default 3,000 */
  timeoutMs?: number;
}

const textType = 16;

const dnsAnswer = z.object({
  // 0 is an answer, 3 a name that does not exist.
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
});

/** Creates a lookup by the runtime's resolver, and over HTTPS where it has none or fails. */
export function createTextLookup(options: TextLookupOptions = {}): TextLookup {
  const { resolve = resolveText, timeoutMs = 3_000 } = options;
  return async (name) => {
    try {
      const message = "Cannot resolve name: it took too long";
      const records = await withDeadline(resolve(name), { timeoutMs, message });
      return records.map((parts) => parts.join(""));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      return await lookUpByHttps(name, { ...options, timeoutMs });
    }
  };
}

function resolveText(name: string): Promise<string[][]> {
  if (typeof Deno.resolveDns !== "function") throw new Error("Cannot resolve names here");
  return Deno.resolveDns(name, "TXT");
}

async function lookUpByHttps(
  name: string,
  { resolverUrl = "https://cloudflare-dns.com/dns-query", fetch: send = fetch, timeoutMs = 3_000 }:
    TextLookupOptions,
): Promise<string[] | null> {
  try {
    const url = `${resolverUrl}?${new URLSearchParams({ name, type: "TXT" })}`;
    const response = await send(
      new Request(url, {
        headers: { accept: "application/dns-json" },
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
    const { Status, Answer = [] } = dnsAnswer.parse(await response.json());
    if (Status !== 0 && Status !== 3) return null;
    return Answer.filter(({ type }) => type === textType).map(({ data }) => unquote(data));
  } catch {
    return null;
  }
}

/** Joins the quoted parts of a record. */
function unquote(data: string): string {
  const parts = data.match(/"(?:[^"\\]|\\.)*"/g);
  if (parts === null) return data;
  return parts.map((part) => part.slice(1, -1).replaceAll(/\\(.)/g, "$1")).join("");
}
