import { canonicalAddress } from "./addresses.ts";

/** Consequences of an entry besides its event: see `private.ingest_reports`. */
export interface EntryEffect {
  /** The send that a provider reports on; null: none of ours. Left out, the database looks it up. */
  send_id?: string | null;
  /** The address that the event names, if its domain has another spelling than a customer's. */
  email?: string;
  /** True if the event must not create its customer: then only the address is affected. */
  is_known_only?: true;
}

const start = '{"effect":';
const effectiveNames = /"name":"(?:email_bounced|email_complained|email_delivered|unsubscribed)"/;

/**
 * Marks an entry (JSON text) of a trusted sender: its bounce, complaint or unsubscription suppresses
 * the address or withdraws consent, and its delivery ends a row of soft bounces. The text of any
 * other entry is returned as it is.
 */
export function addEffect(text: string, effect: EntryEffect = {}): string {
  if (!effect.send_id && !effect.is_known_only && !effectiveNames.test(text)) return text;
  const email = international.test(text) ? readEmail(text) : undefined;
  const all = email === undefined ? effect : { ...effect, email };
  return `${start}${JSON.stringify(all)},${text.slice(1)}`;
}

/** Found in the text of an address with an international domain. */
const international = /xn--|[^\0-\x7f]|\\u/i;

function readEmail(text: string): string | undefined {
  const email: unknown = JSON.parse(text).properties?.email;
  return typeof email === "string" ? canonicalAddress(email) : undefined;
}

/** Returns true for an entry that `addEffect` marked. */
export function hasEffect(text: string): boolean {
  return text.startsWith(start);
}
