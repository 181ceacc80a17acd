import { Buffer } from "node:buffer";
import { createHmac, verify } from "node:crypto";
import { readPublicKey, standardSecret } from "../_shared/inbound/secrets.ts";
import type { Scheme } from "../_shared/inbound/sources.ts";
import { equalsConstantTime, signBody, signStandard } from "../_shared/signing.ts";

/** What a request claims in its headers, well-formed and not yet believed. */
export interface Claim {
  signatures: readonly string[];
  /** Unix seconds as sent; undefined where the scheme signs no time. */
  timestamp?: string;
  /** The message's id where the scheme signs it. */
  id?: string;
}

interface Signed {
  claim: Claim;
  secret: string;
  body: Uint8Array;
}

type Matches = (signature: string) => boolean;

interface SchemeRule {
  /** The headers it needs, in lower case; several lists where senders name them differently. */
  headers: readonly (readonly string[])[];
  /** Reads the values of those headers; undefined when they are malformed. */
  read(values: readonly string[]): Claim | undefined;
  /**
   * Tells whether a signature is the secret's, in a time that tells nothing of the others. The
   * body is hashed here, once: however many signatures are sent, they buy no more work.
   */
  matcher(signed: Signed): Matches;
}

const hex = /^[0-9a-f]{64}$/i;
const base64Digest = /^[A-Za-z0-9+/]{43}=$/;
const unixSeconds = /^\d{1,12}$/;
// More than any sender makes during a rotation; without a bound a header could buy much hashing.
const maxSignatures = 10;

/** How each scheme signs. A header sent twice arrives joined by a comma, and so is malformed. */
export const schemeRules: Readonly<Record<Scheme, SchemeRule>> = {
  "service": {
    headers: [["x-service-signature"]],
    read: ([signature = ""]) => hex.test(signature) ? { signatures: [signature] } : undefined,
    matcher: ({ secret, body }) => equalsHex(signBody(secret, body)),
  },
  "standard-webhooks": {
    headers: [
      ["webhook-signature", "webhook-timestamp", "webhook-id"],
      ["svix-signature", "svix-timestamp", "svix-id"],
    ],
    read: ([signature = "", timestamp = "", id = ""]) => {
      const signatures = signature.split(" ");
      const areWellFormed = signatures.every((each) => /^v1a?,[A-Za-z0-9+/]+={0,2}$/.test(each));
      if (!areWellFormed || !/^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(id)) return undefined;
      return claimAt(timestamp, { signatures, id });
    },
    matcher({ claim, secret, body }) {
      const { id = "", timestamp } = claim;
      const key = standardSecret(secret);
      const signed = { messageId: id, timestamp: Number(timestamp), body, secret: key };
      return equals(signStandard(signed));
    },
  },
  "stripe": {
    headers: [["stripe-signature"]],
    read: ([header = ""]) => {
      const parts = header.split(",");
      const valuesOf = (name: string) =>
        parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
      const [timestamp = "", ...repeated] = valuesOf("t=");
      const signatures = valuesOf("v1=");
      const isWellFormed = parts.every((part) => /^[a-z]\d*=[^\s=]+$/.test(part)) &&
        signatures.every((each) => hex.test(each)) && repeated.length === 0;
      if (!isWellFormed) return undefined;
      return claimAt(timestamp, { signatures });
    },
    matcher: ({ claim, ...signed }) => equalsHex(signPrefixed(`${claim.timestamp}.`, signed)),
  },
  "shopify": {
    headers: [["x-shopify-hmac-sha256"]],
    read: ([signature = ""]) =>
      base64Digest.test(signature) ? { signatures: [signature] } : undefined,
    matcher: ({ secret, body }) =>
      equals(createHmac("sha256", secret).update(body).digest("base64")),
  },
  "github": {
    headers: [["x-hub-signature-256"]],
    read: ([header = ""]) => {
      const [algorithm, signature = "", ...rest] = header.split("=");
      if (algorithm !== "sha256" || rest.length > 0 || !hex.test(signature)) return undefined;
      return { signatures: [signature] };
    },
    matcher: ({ secret, body }) => equalsHex(signBody(secret, body)),
  },
  "slack": {
    headers: [["x-slack-signature", "x-slack-request-timestamp"]],
    read: ([header = "", timestamp = ""]) => {
      const [version, signature = "", ...rest] = header.split("=");
      if (version !== "v0" || rest.length > 0 || !hex.test(signature)) return undefined;
      return claimAt(timestamp, { signatures: [signature] });
    },
    matcher: ({ claim, ...signed }) => equalsHex(signPrefixed(`v0:${claim.timestamp}:`, signed)),
  },
  "sendgrid": {
    headers: [[
      "x-twilio-email-event-webhook-signature",
      "x-twilio-email-event-webhook-timestamp",
    ]],
    read: ([signature = "", timestamp = ""]) => {
      // The spare bits of the last character would let one signature be spelled in many ways.
      const isBase64 = Buffer.from(signature, "base64").toString("base64") === signature;
      return isBase64 ? claimAt(timestamp, { signatures: [signature] }) : undefined;
    },
    matcher({ claim, secret, body }) {
      const key = readPublicKey(secret);
      const signed = Buffer.concat([Buffer.from(claim.timestamp ?? ""), body]);
      return (signature) =>
        key !== undefined && verify("sha256", signed, key, Buffer.from(signature, "base64"));
    },
  },
};

function claimAt(timestamp: string, claim: Claim): Claim | undefined {
  const { length } = claim.signatures;
  if (!unixSeconds.test(timestamp) || length === 0 || length > maxSignatures) return undefined;
  return { ...claim, timestamp };
}

function signPrefixed(prefix: string, { secret, body }: Omit<Signed, "claim">): string {
  return createHmac("sha256", secret).update(prefix).update(body).digest("hex");
}

function equals(expected: string): Matches {
  return (signature) => equalsConstantTime(expected, signature);
}

/** Upper-case hex passes too. */
function equalsHex(expected: string): Matches {
  return (signature) => equalsConstantTime(expected, signature.toLowerCase());
}
