import { createHash } from "node:crypto";
import { asText } from "./drafts.ts";
import type { Scheme } from "./sources.ts";
import { readPointer } from "./values.ts";

const idHeaders: Readonly<Record<Scheme, readonly string[]>> = {
  "service": ["webhook-id"],
  "standard-webhooks": ["webhook-id", "svix-id"],
  "stripe": [],
  "shopify": ["x-shopify-event-id", "x-shopify-webhook-id"],
  "github": ["x-github-delivery"],
  "slack": [],
  "sendgrid": [],
  "mailgun": [],
  "sns": [],
  "basic": [],
  "hmac": [],
};

const idPointers: Readonly<Partial<Record<Scheme, string>>> = {
  stripe: "/id",
  slack: "/event_id",
  mailgun: "/signature/token",
  sns: "/MessageId",
};

/** Message whose id is looked for. */
export interface ReceivedMessage {
  scheme: Scheme;
  headers: Readonly<Record<string, string>>;
  payload: unknown;
  body: Uint8Array;
}

/**
 * Returns the sender's own id of a message, the same on every attempt. For a sender without one,
 * which repeats the same bytes, returns the SHA-256 of the body; for Mailgun, the SHA-256 of its
 * token.
 */
export function readMessageId({ scheme, headers, payload, body }: ReceivedMessage): string {
  const named = idHeaders[scheme].map((name) => headers[name]).find((id) => id !== undefined);
  const pointer = idPointers[scheme];
  const inBody = pointer === undefined ? undefined : asText(readPointer(pointer, payload));
  // Ids are shown to users, and Mailgun's token is part of its signature.
  if (scheme === "mailgun" && inBody !== undefined) return hash(inBody);
  return (named ?? inBody)?.slice(0, 255) ?? hash(body);
}

/**
 * Returns the idempotency key of an entry: the sender's id, separate from other sources' and
 * clients' keys.
 */
export function entryKey(sourceId: string, key: string): string {
  const whole = `inbound:${sourceId}:${key}`;
  if (whole.length <= 255) return whole;
  return `inbound:${sourceId}:${hash(key)}`;
}

function hash(data: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}
