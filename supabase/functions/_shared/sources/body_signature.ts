import { isRecord } from "../json/json.ts";
import { parseLossless } from "../json/lossless.ts";
import type { Scheme } from "./sources.ts";

// Besides signatures: URLs and a token of SNS that control the subscription.
const secretMembers: Readonly<Partial<Record<Scheme, readonly string[]>>> = {
  mailgun: ["signature"],
  sns: ["Signature", "Token", "SubscribeURL", "UnsubscribeURL"],
};

/** Mailgun signs a token and not the message, so one signature would be valid for any message. */
export function signsTokenOnly(scheme: Scheme): boolean {
  return scheme === "mailgun";
}

/** Returns a payload without its embedded signature, as mappings, entries and users see it. */
export function withoutSignature(scheme: Scheme, payload: unknown): unknown {
  const members = secretMembers[scheme];
  if (members === undefined || !isRecord(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !members.includes(name)));
}

const maxKeptBytes = 256 * 1024;

/** Returns a body for its receipt, without a signature; null if it is too long to keep. */
export function keepBody(scheme: Scheme, body: Uint8Array): string | null {
  if (body.byteLength > maxKeptBytes) return null;
  const text = new TextDecoder().decode(body);
  if (secretMembers[scheme] === undefined) return text;
  try {
    const kept = JSON.stringify(withoutSignature(scheme, parseLossless(text)));
    return kept.length > maxKeptBytes ? null : kept;
  } catch {
    return null;
  }
}
