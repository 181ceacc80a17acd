import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { generateSecret } from "../signing.ts";
import type { Scheme } from "./sources.ts";

const standardPrefix = /^(?:v1,)?(?:whsec_)?/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What is wrong with a secret for a scheme, as the end of a sentence; undefined when nothing is. */
export function checkSecret(scheme: Scheme, secret: string): string | undefined {
  switch (scheme) {
    case "standard-webhooks": {
      const key = secret.replace(standardPrefix, "");
      const bytes = base64.test(key) ? Buffer.from(key, "base64").length : 0;
      if (bytes >= 16 && bytes <= 128) return undefined;
      return 'must be "whsec_" and 16 to 128 bytes in base64, as the sender shows it';
    }
    case "sendgrid":
      if (readPublicKey(secret) !== undefined) return undefined;
      return "must be the verification key that SendGrid shows: a P-256 public key in base64";
    default:
      if (/^[\x21-\x7e](?:[\x20-\x7e]{6,253}[\x21-\x7e])$/.test(secret)) return undefined;
      return "must be 8 to 255 printable ASCII characters, without spaces around them";
  }
}

/**
 * A secret to be pasted into the sender, for the schemes where the receiver chooses it; undefined
 * for those where the sender does.
 */
export function generateSourceSecret(scheme: Scheme): string | undefined {
  if (scheme === "service" || scheme === "standard-webhooks") return generateSecret();
  return scheme === "github" ? randomBytes(32).toString("hex") : undefined;
}

/** The key bytes of a Standard Webhooks secret, whichever of its spellings was pasted. */
export function standardSecret(secret: string): string {
  return `whsec_${secret.replace(standardPrefix, "")}`;
}

/** A P-256 public key, as base64 of its DER form or as PEM; undefined when it is none. */
export function readPublicKey(text: string): KeyObject | undefined {
  const der = text.replace(/-----(?:BEGIN|END) PUBLIC KEY-----/g, "").replace(/\s/g, "");
  if (!base64.test(der)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(der, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}
