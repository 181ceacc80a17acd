import type { LargeWorkspace } from "../data/large_workspace.ts";
import { ago, pick, type Reads } from "./api_read.ts";

/** Lists the reads of senders and sends. */
export function listSendReads(large: LargeWorkspace): Reads {
  const { customerIds, senderIds, templateIds } = large;
  const customer = (n: number) => pick(customerIds, n);
  return {
    listSenders: [["", () => "/senders"], ["200 rows", () => "/senders?limit=200"]],
    getSender: [
      ["by id", (n) => `/senders/${pick(senderIds, n)}`],
      ["by key", (n) => `/senders/sender-${1 + n % 50}`],
    ],
    getSenderDns: [["", (n) => `/senders/${pick(senderIds, n)}/dns`]],
    getSenderStats: [
      ["a month by hours", (n) => `/senders/${pick(senderIds, n)}/stats?since=${ago(740)}`],
      [
        "400 days by days",
        (n) => `/senders/${pick(senderIds, n)}/stats?interval=day&since=${ago(9599)}`,
      ],
    ],
    listSends: [
      ["newest", () => "/sends"],
      ["200 rows", () => "/sends?limit=200"],
      ["of a customer", (n) => `/sends?customer_id=${customer(n)}`],
      ["of a template", (n) => `/sends?template_id=${pick(templateIds, n)}`],
      ["of no campaign", () => `/sends?campaign_id=${crypto.randomUUID()}`],
      ["of no journey", () => `/sends?journey_id=${crypto.randomUUID()}`],
      ["of a sender", (n) => `/sends?sender_id=${pick(senderIds, n)}`],
      ["of no sender", () => `/sends?sender_id=${crypto.randomUUID()}`],
      ["that were delivered", () => "/sends?engagement=delivered"],
      ["that bounced", () => "/sends?engagement=bounced&sort=oldest"],
      ["that nobody complained about", () => "/sends?engagement=complained"],
      ["that were opened", () => "/sends?engagement=opened"],
      ["that were clicked, a rare case", () => "/sends?engagement=clicked"],
      ["that were clicked, oldest first", () => "/sends?engagement=clicked&sort=oldest"],
      ["that nobody unsubscribed from", () => "/sends?engagement=unsubscribed"],
      [
        "bounced of a sender",
        (n) => `/sends?sender_id=${pick(senderIds, n)}&engagement=bounced`,
      ],
      ["of a common state", () => "/sends?state=sent"],
      ["of a rare state", () => "/sends?state=failed"],
      ["of an unused state", () => "/sends?state=unknown"],
      ["failed of a customer", (n) => `/sends?customer_id=${customer(n)}&state=failed`],
      ["a day long ago", (n) => `/sends?since=${ago(1000 + n)}&until=${ago(976 + n)}`],
      ["rare state up to a day long ago", (n) => `/sends?state=failed&until=${ago(1000 + n)}`],
    ],
    exportSends: [["of a rare state", () => "/sends/export?state=failed"]],
    getSend: [["", (n) => `/sends/${pick(large.sendIds, n)}`]],
    explainSends: [
      ["", (n) => `/sends/explain?customer_id=${customer(n)}`],
      [
        "of a campaign",
        (n) =>
          `/sends/explain?customer_id=${customer(n)}&campaign_id=${pick(large.campaignIds, n)}`,
      ],
      [
        "of a journey",
        (n) => `/sends/explain?customer_id=${customer(n)}&journey_id=${pick(large.journeyIds, n)}`,
      ],
    ],
    listCustomerSends: [["", (n) => `/customers/${customer(n)}/sends`]],
  };
}
