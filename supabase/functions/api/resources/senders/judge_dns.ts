import type { Provider } from "../../contract/senders.ts";

/** TXT records of one name; null if DNS did not answer. */
export interface FoundText {
  name: string;
  texts: string[] | null;
}

export interface FoundRecords {
  domain: string;
  provider: Provider;
  spf: FoundText;
  /** One per selector that was tried. */
  dkim: FoundText[];
  dmarc: FoundText;
}

/** A judged record. */
export interface DnsCheck {
  record: "spf" | "dkim" | "dmarc";
  name: string;
  state: "ok" | "warning" | "missing" | "unknown";
  found: string | null;
  /** A sentence about what to do. */
  message: string;
}

const noAnswer = "DNS did not answer: try again";

/** Selectors that providers use; those of others are the user's own. */
const selectorsOf: Partial<Record<Provider, readonly string[]>> = {
  resend: ["resend"],
  sendgrid: ["s1", "s2"],
  mailgun: ["mx", "mailo", "pic", "k1", "smtp"],
};
const usualSelectors = ["default", "mail", "dkim", "google", "selector1", "selector2", "k1", "s1"];

/** Host that a sender policy includes for a provider that sends under the user's own domain. */
const policyHosts: Partial<Record<Provider, string>> = {
  ses: "amazonses.com",
  mailgun: "mailgun.org",
};

/** Lists the DKIM selectors to try. */
export function listSelectors(provider: Provider, given: string | undefined): readonly string[] {
  return given === undefined ? selectorsOf[provider] ?? usualSelectors : [given];
}

/** Judges the DNS records of a sender's domain. */
export function judgeDns(found: FoundRecords): DnsCheck[] {
  return [judgePolicy(found), judgeKeys(found), judgeDmarc(found.dmarc)];
}

function judgePolicy({ domain, provider, spf: { name, texts } }: FoundRecords): DnsCheck {
  const check = { record: "spf" as const, name };
  if (texts === null) return { ...check, state: "unknown", found: null, message: noAnswer };
  const policies = texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text));
  const found = policies[0] ?? null;
  const host = policyHosts[provider];
  const include = host === undefined ? "your mail server" : `"include:${host}"`;
  if (policies.length > 1) {
    const message =
      `${domain} has ${policies.length} SPF records, and receivers ignore them all: ` +
      "combine them into one";
    return { ...check, state: "missing", found, message };
  }
  if (found === null) {
    const message = `Add a TXT record for ${domain} that starts with "v=spf1" and allows ` +
      `${include}, unless the provider sends under a domain of its own`;
    return { ...check, state: "warning", found, message };
  }
  if (/\s\+?all\b/i.test(found)) {
    const message = 'The record ends in "+all", which lets anyone send for the domain: use "~all"';
    return { ...check, state: "warning", found, message };
  }
  if (host !== undefined && !found.toLowerCase().includes(`include:${host}`)) {
    const message = `The record does not allow the provider: add "include:${host}", unless mail ` +
      "leaves under a MAIL FROM domain of its own";
    return { ...check, state: "warning", found, message };
  }
  return { ...check, state: "ok", found, message: "The record says who may send for the domain" };
}

function judgeKeys({ domain, dkim }: FoundRecords): DnsCheck {
  const record = "dkim" as const;
  for (const { name, texts } of dkim) {
    const found = texts?.find((text) => /(?:^|;)\s*p=/i.test(text));
    if (found === undefined) continue;
    if (/(?:^|;)\s*p=\s*(?:;|$)/i.test(found)) {
      const message = `The key at ${name} is revoked: publish the provider's current one`;
      return { record, name, state: "missing", found, message };
    }
    return { record, name, state: "ok", found, message: "The provider's signing key is published" };
  }
  const [first] = dkim;
  const name = first?.name ?? `_domainkey.${domain}`;
  if (dkim.every(({ texts }) => texts === null)) {
    return { record, name, state: "unknown", found: null, message: noAnswer };
  }
  const message = dkim.length === 1
    ? `Add the DKIM record that the provider shows for ${domain}: receivers reject unsigned mail`
    : "No key found under the usual selectors: add the DKIM record that the provider shows, or " +
      "name its selector with ?selector=";
  const state = dkim.length === 1 ? "missing" : "unknown";
  return { record, name, state, found: null, message };
}

function judgeDmarc({ name, texts }: FoundText): DnsCheck {
  const check = { record: "dmarc" as const, name };
  if (texts === null) return { ...check, state: "unknown", found: null, message: noAnswer };
  const policies = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
  const found = policies[0] ?? null;
  if (policies.length !== 1 || found === null) {
    const message = found === null
      ? `Add a TXT record for ${name}, at least "v=DMARC1; p=none": large receivers ask for it`
      : `${name} has ${policies.length} DMARC records, and receivers ignore them all: keep one`;
    return { ...check, state: "missing", found, message };
  }
  const policy = /(?:^|;)\s*p=\s*(\w+)/i.exec(found)?.[1]?.toLowerCase();
  if (policy === undefined) {
    const message = 'The record has no policy: add "p=none", and later "p=quarantine"';
    return { ...check, state: "missing", found, message };
  }
  if (policy === "none") {
    const message = 'Mail that fails the checks is still accepted: "p=quarantine" is safer once ' +
      "all your mail passes";
    return { ...check, state: "ok", found, message };
  }
  return { ...check, state: "ok", found, message: "Receivers know what to do with forged mail" };
}
