import { Buffer } from "node:buffer";
import { createHash, createHmac, verify } from "node:crypto";
import { readPublicKey, standardKey } from "../_shared/sources/secrets.ts";
import type { Scheme, SchemeSettings } from "../_shared/sources/sources.ts";
import { asRecord, asText } from "../_shared/sources/drafts.ts";
import { parseLossless } from "../_shared/json/lossless.ts";
import { equalsConstantTime, signBody } from "../_shared/secrets/signing.ts";
import { hmacRule } from "./hmac_rule.ts";
import {
  type Claim,
  type Matches,
  maxParts,
  maxSignatures,
  type SchemeRule,
  type Signed,
} from "./scheme_rule.ts";

const hex = /^[0-9a-f]{64}$/i;
const base64Digest = /^[A-Za-z0-9+/]{43}=$/;
const unixSeconds = /^\d{1,12}$/;
const day = 24 * 60 * 60;
/** Signature rules of the schemes whose senders all sign alike; `sns` signs with a certificate. */
export const schemeRules: Readonly<Record<Exclude<Scheme, "hmac" | "sns">, SchemeRule>> = {
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
    read: ([header = "", timestamp = "", id = ""]) => {
      const tokens = header.split(" ", maxParts + 1);
      // A header that was sent twice arrives as one, joined by a comma.
      const isRepeated = tokens.some((token) => /^v1,.*,$/.test(token));
      if (tokens.length > maxParts || isRepeated) return undefined;
      if (!/^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(id)) return undefined;
      // Other versions are skipped: a sender that introduces a new version signs with both for a
      // while.
      const signatures = tokens.filter((token) => /^v1,[A-Za-z0-9+/]+={0,2}$/.test(token));
      return claimAt(timestamp, { signatures, id });
    },
    matcher({ claim: { id, timestamp }, secret, body }) {
      const key = standardKey(secret);
      if (key === undefined) return () => false;
      const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
      return equals(`v1,${hmac.digest("base64")}`);
    },
  },
  "stripe": {
    headers: [["stripe-signature"]],
    read: ([header = ""]) => {
      const parts = header.split(",", maxParts + 1).map((part) => part.trim());
      const valuesOf = (name: string) =>
        parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
      const [timestamp = "", ...repeated] = valuesOf("t=");
      // Other names or forms are skipped.
      const signatures = valuesOf("v1=").filter((each) => hex.test(each));
      const isWellFormed = parts.length <= maxParts && repeated.length === 0;
      return isWellFormed ? claimAt(timestamp, { signatures }) : undefined;
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
      // The spare bits of the last character would allow several spellings of one signature.
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
  "mailgun": {
    headers: [[]],
    read: () => undefined,
    readBody(body) {
      const { signature } = asRecord(parseOrNothing(body));
      const { timestamp, token, signature: made } = asRecord(signature);
      if (typeof token !== "string" || !/^[\x21-\x7e]{16,255}$/.test(token)) return undefined;
      if (typeof made !== "string" || !hex.test(made)) return undefined;
      return claimAt(asText(timestamp) ?? "", { signatures: [made], id: token });
    },
    // Mailgun signs the time of the event and retries for hours; its token counts for a day.
    tolerance: { past: day, future: 300 },
    matcher: ({ claim: { timestamp, id }, secret }) =>
      equalsHex(createHmac("sha256", secret).update(`${timestamp}${id}`).digest("hex")),
  },
  "basic": {
    headers: [["authorization"]],
    read: ([header = ""]) => {
      const token = /^Basic +([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(header)?.[1];
      return token === undefined ? undefined : { signatures: [token] };
    },
    // Compares hashes, so that the duration does not reveal even the length.
    matcher({ secret }) {
      const expected = createHash("sha256").update(secret).digest("hex");
      return (token) => {
        const sent = createHash("sha256").update(Buffer.from(token, "base64")).digest("hex");
        return equalsConstantTime(expected, sent);
      };
    },
    challenge: 'Basic realm="inbound", charset="UTF-8"',
  },
};

/** Returns the signature rule of a source. */
export function ruleOf(
  { scheme, hmac }: { scheme: Exclude<Scheme, "sns"> } & Pick<SchemeSettings, "hmac">,
): SchemeRule {
  if (scheme !== "hmac") return schemeRules[scheme];
  // The database stores no such source.
  if (hmac === null) {
    throw new Error("Cannot verify the signature: the source has no HMAC settings");
  }
  return hmacRule(hmac);
}

function parseOrNothing(body: Uint8Array): unknown {
  try {
    return parseLossless(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function claimAt(timestamp: string, claim: Claim): Claim | undefined {
  const { length } = claim.signatures;
  if (!unixSeconds.test(timestamp) || length === 0 || length > maxSignatures) return undefined;
  return { ...claim, timestamp, at: Number(timestamp) };
}

function signPrefixed(prefix: string, { secret, body }: Pick<Signed, "secret" | "body">): string {
  return createHmac("sha256", secret).update(prefix).update(body).digest("hex");
}

function equals(expected: string): Matches {
  return (signature) => equalsConstantTime(expected, signature);
}

/** Compares hex digests; upper case is accepted too. */
function equalsHex(expected: string): Matches {
  return (signature) => equalsConstantTime(expected, signature.toLowerCase());
}
