import { createHash } from "node:crypto";
import { asRecord, asText } from "./drafts.ts";
import type { Scheme } from "./sources.ts";

const idHeaders: Readonly<Record<Scheme, readonly string[]>> = {
  "service": ["webhook-id"],
  "standard-webhooks": ["webhook-id", "svix-id"],
  "stripe": [],
  "shopify": ["x-shopify-event-id", "x-shopify-webhook-id"],
  "github": ["x-github-delivery"],
  "slack": [],
  "sendgrid": [],
};

const idFields: Readonly<Partial<Record<Scheme, string>>> = { stripe: "id", slack: "event_id" };

export interface ReceivedMessage {
  scheme: Scheme;
  headers: Readonly<Record<string, string>>;
  payload: unknown;
  body: Uint8Array;
}

/**
 * The sender's own id of a message, the same on each of its attempts. A sender without one repeats
 * the same bytes, so their SHA-256 stands for it.
 */
export function readMessageId({ scheme, headers, payload, body }: ReceivedMessage): string {
  const named = idHeaders[scheme].map((name) => headers[name]).find((id) => id !== undefined);
  const field = idFields[scheme];
  const inBody = field === undefined ? undefined : asText(asRecord(payload)[field]);
  const id = (named ?? inBody)?.slice(0, 255);
  return id ?? `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

/** The idempotency key of an entry: the sender's id, apart from other sources' and clients' keys. */
export function entryKey(sourceId: string, key: string): string {
  const whole = `inbound:${sourceId}:${key}`;
  if (whole.length <= 255) return whole;
  return `inbound:${sourceId}:sha256:${createHash("sha256").update(key).digest("hex")}`;
}
