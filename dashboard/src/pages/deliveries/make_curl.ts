import type { Delivery } from "../../api/types.ts";
import { quoteShell } from "../../format/quote_shell.ts";

interface CurlRequest {
  delivery: Pick<Delivery, "event_type" | "message_id" | "attempted_at">;
  url: string;
  /** Headers of the destination's own, whose values only the receiver knows. */
  headerNames: readonly string[];
  /** The exact body. */
  body: string;
}

/** Returns a command that sends the request again, without signatures and secrets. */
export function makeCurl({ delivery, url, headerNames, body }: CurlRequest): string {
  const seconds = Math.floor(Date.parse(delivery.attempted_at) / 1000);
  const headers = [
    "content-type: application/json",
    `x-service-event: ${delivery.event_type}`,
    `webhook-id: ${delivery.message_id}`,
    `webhook-timestamp: ${seconds}`,
    ...headerNames.map((name) => `${name}: <value>`),
  ];
  return [
    `curl -X POST ${quoteShell(url)}`,
    ...headers.map((header) => `-H ${quoteShell(header)}`),
    `--data-raw ${quoteShell(body)}`,
  ].join(" \\\n  ");
}
