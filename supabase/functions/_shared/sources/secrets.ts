import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { generateSecret } from "../secrets/signing.ts";
import type { HmacSettings } from "./hmac.ts";
import type { Scheme } from "./sources.ts";

const standardPrefix = /^(?:v1,)?(?:whsec_)?/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const hex = /^(?:[0-9a-f]{2})*$/i;
// "<client secret>", "${SECRET}", "xxxxxxxx", "undefined": copied from a guide, or an unset
// variable.
const placeholders: readonly RegExp[] = [
  /^(?:<[a-z _.-]+>|\[[a-z _.-]+\]|\$?\{+[a-z _.-]*\}+)$/i,
  /^\$[A-Z_]+$/,
  /^(?:process\.env|import\.meta\.env|Deno\.env|os\.environ)\b/,
  /^(?:(.)\1*|undefined|null|none|your[ _-].*|change[ _-]?me|(?:my[ _-]?)?password)$/i,
  /^(?:my|client|signing|webhook)?[ _-]?secret(?:[ _-]?key)?$/i,
];
const printable = /^[\x21-\x7e](?:[\x20-\x7e]{6,253}[\x21-\x7e])$/;

/**
 * Describes what is wrong with a secret for a source, as the end of a sentence; undefined if it is
 * valid.
 */
export function checkSecret(
  { scheme, hmac }: { scheme: Scheme; hmac?: HmacSettings | null | undefined },
  secret: string,
): string | undefined {
  if (scheme === "sns") return 'must be left out: "sns" signs with a certificate';
  if (isPlaceholder(scheme, secret)) return "must be the sender's real secret, not a placeholder";
  switch (scheme) {
    case "standard-webhooks":
      if (standardKey(secret) !== undefined) return undefined;
      return 'must be "whsec_" and 16 to 128 bytes in base64, as the sender shows it';
    case "sendgrid":
      if (readPublicKey(secret) !== undefined) return undefined;
      return "must be the verification key that SendGrid shows: a P-256 public key in base64";
    case "basic":
      if (printable.test(secret) && /^[^:]+:.{8,}$/.test(secret)) return undefined;
      return "must be a user name, a colon and a password of at least 8 printable ASCII characters";
    default: {
      if (!printable.test(secret)) {
        return "must be 8 to 255 printable ASCII characters, without spaces around them";
      }
      if (!hmac || decodeSecret(secret, hmac) !== undefined) return undefined;
      return `must be at least 8 bytes in ${hmac.secret_encoding}, as secret_encoding says`;
    }
  }
}

/** Returns true if a secret, without its prefix or user name, is a placeholder. */
function isPlaceholder(scheme: Scheme, secret: string): boolean {
  const texts = [secret, secret.replace(standardPrefix, "")];
  if (scheme === "basic") texts.push(secret.slice(secret.indexOf(":") + 1));
  return texts.some((text) => placeholders.some((placeholder) => placeholder.test(text)));
}

/**
 * Generates a secret to paste into the sender, for schemes where the receiver chooses it; undefined
 * for schemes where the sender does.
 */
export function generateSourceSecret(scheme: Scheme): string | undefined {
  if (scheme === "service" || scheme === "standard-webhooks") return generateSecret();
  if (scheme === "basic") return `signalpost:${randomBytes(24).toString("hex")}`;
  return scheme === "github" ? randomBytes(32).toString("hex") : undefined;
}

/**
 * Decodes a Standard Webhooks secret in any common form: base64, with or without `whsec_`, or plain
 * text that is not base64. Undefined if it is invalid.
 */
export function standardKey(secret: string): Uint8Array | undefined {
  const text = secret.replace(standardPrefix, "");
  const isPlain = text === secret && /[^A-Za-z0-9+/=]/.test(secret) && printable.test(secret);
  if (!isPlain && !base64.test(text)) return undefined;
  const key = Buffer.from(text, isPlain ? "utf8" : "base64");
  return key.byteLength >= 16 && key.byteLength <= 128 ? key : undefined;
}

/** Decodes a secret to its key; undefined if it is malformed or shorter than 8 bytes. */
export function decodeSecret(
  secret: string,
  { secret_encoding: encoding }: Pick<HmacSettings, "secret_encoding">,
): Uint8Array | undefined {
  if (encoding === "base64" && !base64.test(secret)) return undefined;
  if (encoding === "hex" && !hex.test(secret)) return undefined;
  const key = Buffer.from(secret, encoding === "text" ? "utf8" : encoding);
  // An empty key would match signatures that anyone can make.
  return key.byteLength >= 8 ? key : undefined;
}

/** Parses a P-256 public key from base64 DER or PEM; undefined if it is invalid. */
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
