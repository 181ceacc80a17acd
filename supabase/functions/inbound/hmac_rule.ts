import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { type HmacSettings, readTemplate } from "../_shared/sources/hmac.ts";
import { decodeSecret } from "../_shared/sources/secrets.ts";
import { equalsConstantTime } from "../_shared/secrets/signing.ts";
import {
  type Claim,
  maxParts,
  maxSignatures,
  type SchemeRule,
  type Signed,
} from "./scheme_rule.ts";

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** Returns the rule for requests signed according to `settings`. */
export function hmacRule(settings: HmacSettings): SchemeRule {
  const { header, algorithm, encoding, timestamp_header, tolerance_seconds } = settings;
  return {
    headers: [timestamp_header === undefined ? [header] : [header, timestamp_header]],
    read: ([value = "", time]) => readClaim(settings, { value, time }),
    tolerance: { past: tolerance_seconds, future: tolerance_seconds },
    matcher(signed) {
      const key = decodeSecret(signed.secret, settings);
      if (key === undefined) return () => false;
      const hmac = createHmac(algorithm, key);
      for (const piece of readTemplate(settings.signed)) {
        hmac.update(typeof piece === "string" ? piece : valueOf(piece.part, { settings, signed }));
      }
      const expected = hmac.digest(encoding);
      return (signature) => equalsConstantTime(expected, signature);
    },
  };
}

type Part = Exclude<ReturnType<typeof readTemplate>[number], string>["part"];

function valueOf(
  part: Part,
  { settings, signed: { body, claim, request } }: { settings: HmacSettings; signed: Signed },
): string | Uint8Array {
  switch (part) {
    case "body":
      return body;
    case "timestamp":
      return claim.timestamp ?? "";
    case "method":
      return request.method;
    case "url":
      return settings.url ?? request.url;
  }
}

/** Reads the signatures and the time from the headers; skips list parts that are neither. */
function readClaim(
  settings: HmacSettings,
  { value, time }: { value: string; time: string | undefined },
): Claim | undefined {
  const { separator, prefix, timestamp_prefix, timestamp_header } = settings;
  const parts = separator === undefined ? [value] : value.split(separator, maxParts + 1);
  if (parts.length > maxParts) return undefined;
  const valuesOf = (start: string) =>
    parts.map((part) => part.trim()).filter((part) => part.startsWith(start))
      .map((part) => part.slice(start.length));
  const times = timestamp_prefix === undefined ? [] : valuesOf(timestamp_prefix);
  const signatures = valuesOf(prefix).map((each) => readDigest(each, settings))
    .filter((each) => each !== undefined);
  if (signatures.length === 0 || signatures.length > maxSignatures) return undefined;
  if (times.length > 1) return undefined;
  if (timestamp_prefix === undefined && timestamp_header === undefined) return { signatures };
  return withTime({ signatures }, { timestamp: times[0] ?? time ?? "", settings });
}

function withTime(
  claim: Claim,
  { timestamp, settings }: { timestamp: string; settings: HmacSettings },
): Claim | undefined {
  if (!/^\d{1,15}$/.test(timestamp)) return undefined;
  const divisor = settings.timestamp_unit === "milliseconds" ? 1000 : 1;
  return { ...claim, timestamp, at: Number(timestamp) / divisor };
}

/** Normalizes a digest for comparison; undefined if it is malformed. */
function readDigest(text: string, { algorithm, encoding }: HmacSettings): string | undefined {
  const bytes = digestBytes[algorithm];
  if (encoding === "hex") {
    return /^[0-9a-f]*$/i.test(text) && text.length === 2 * bytes ? text.toLowerCase() : undefined;
  }
  const digest = Buffer.from(text, "base64");
  return digest.byteLength === bytes && digest.toString("base64") === text ? text : undefined;
}
