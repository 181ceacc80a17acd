import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const secretPrefix = "whsec_";
const secretBytes = 32;
const userAgent = "Signalpost-Webhooks/1.0";

/** Inputs of the signatures of one attempt. */
export interface SignedDelivery {
  /** Id of the message: the same on every attempt and replay. */
  messageId: string;
  eventType: string;
  /** The bytes as stored; exactly these must be sent. */
  body: Uint8Array;
  /** Time of this attempt. */
  attemptedAt: Date;
  /** Live secrets as shown to the receiver, newest first; at least one. */
  secrets: readonly string[];
}

/** Generates a signing secret, `whsec_<base64 of 32 random bytes>`. Show it once. */
export function generateSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString("base64");
}

/**
 * Returns the lower-case hex HMAC-SHA256 of the body, keyed with the UTF-8 bytes of the whole
 * secret.
 */
export function signBody(secret: string, body: Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/**
 * Returns one `v1,<base64>` signature of the Standard Webhooks specification: HMAC-SHA256 of
 * `<id>.<unix seconds>.<body>`, keyed with the decoded base64 part of the secret.
 */
export function signStandard(
  { messageId, timestamp, body, secret }: {
    messageId: string;
    timestamp: number;
    body: Uint8Array;
    secret: string;
  },
): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const hmac = createHmac("sha256", key).update(`${messageId}.${timestamp}.`).update(body);
  return `v1,${hmac.digest("base64")}`;
}

/**
 * Returns all headers of one attempt. `X-Service-Signature` uses the newest secret, because it can
 * contain only one signature; `webhook-signature` contains one per live secret.
 *
 * @throws RangeError without a secret: a request must never be sent unsigned
 */
export function signDelivery(delivery: SignedDelivery): Record<string, string> {
  const { messageId, body, secrets } = delivery;
  const newest = secrets[0];
  if (newest === undefined) {
    throw new RangeError(`Cannot sign message "${messageId}": it has no live secret`);
  }
  const timestamp = Math.floor(delivery.attemptedAt.getTime() / 1000);
  return {
    "Content-Type": "application/json",
    "User-Agent": userAgent,
    "X-Service-Event": encodeHeaderValue(delivery.eventType),
    "X-Service-Signature": signBody(newest, body),
    "webhook-id": messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets
      .map((secret) => signStandard({ messageId, timestamp, body, secret }))
      .join(" "),
  };
}

/**
 * Encodes an event's name as a header value. A tracked event may have any name, but a header allows
 * only printable ASCII: other characters and outer spaces are percent-encoded as UTF-8.
 */
export function encodeHeaderValue(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+|^ | $/gu, encodeURIComponent);
}

/** Compares two strings in a time that depends on their lengths alone. */
export function equalsConstantTime(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left);
  const rightBytes = Buffer.from(right);
  // timingSafeEqual requires equal lengths; the length of a signature is not secret.
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
