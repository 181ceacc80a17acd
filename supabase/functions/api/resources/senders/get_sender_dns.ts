import { namedParams } from "../../contract/resource_names.ts";
import { dnsQuery, senderDns } from "../../contract/senders.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import type { TextLookup } from "../../kernel/text_lookup.ts";
import { type FoundText, judgeDns, listSelectors } from "./judge_dns.ts";
import { findSender } from "./sender_queries.ts";

export const getSenderDns = defineRoute({
  operationId: "getSenderDns",
  method: "GET",
  path: "/senders/{id}/dns",
  tag: "Senders",
  summary: "Check SPF, DKIM and DMARC of a sender's domain",
  description: "Looks up the records now, and says what to fix.",
  scopes: ["senders:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Sender",
  query: dnsQuery,
  status: 200,
  response: senderDns,
  async handle({ tx, workspaceId, params, query, service }) {
    const found = await findSender(tx, { workspaceId, name: params.id });
    const { provider, from } = requireFound(found, "Sender");
    const domain = domainOf(from);
    const names = listSelectors(provider, query.selector)
      .map((selector) => `${selector}._domainkey.${domain}`);
    const look = (name: string) => lookUp(service.lookUpText, name);
    const [spf, dmarc, dkim] = await Promise.all([
      look(domain),
      look(`_dmarc.${domain}`),
      Promise.all(names.map(look)),
    ]);
    const checks = judgeDns({ domain, provider, spf, dkim, dmarc });
    return { domain, ok: checks.every(({ state }) => state === "ok"), checks };
  },
});

async function lookUp(lookUpText: TextLookup, name: string): Promise<FoundText> {
  return { name, texts: await lookUpText(name) };
}

/** The part behind the @ of `Acme <hello@acme.example>`. */
function domainOf(from: string): string {
  return from.replace(/>\s*$/, "").split("@").at(-1)!.trim().toLowerCase();
}
