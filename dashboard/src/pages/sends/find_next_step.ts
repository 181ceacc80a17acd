import type { Send, SendExplanation } from "../../api/types.ts";

/** A page that explains or settles why a message was not sent. */
export interface NextStep {
  label: string;
  /** Path within the workspace. */
  path: string;
  search?: Readonly<Record<string, string | undefined>>;
}

type UnsentFacts =
  & Pick<Send, "reason" | "customer_id" | "email">
  & Partial<Pick<Send, "sender" | "template" | "campaign_id">>;

/** Finds the page on which the reason of a message can be seen or settled; null if there is none. */
export function findNextStep(
  { reason, customer_id, email, sender, template, campaign_id }: UnsentFacts,
): NextStep | null {
  switch (reason) {
    case "suppressed":
      return {
        label: "Open the suppression",
        path: "/suppressions",
        search: { email: email ?? undefined },
      };
    case "unsubscribed":
      return customer_id === null ? null : {
        label: "See their topics",
        path: `/customers/${customer_id}`,
        search: { tab: "topics" },
      };
    case "no_address":
      return customer_id === null
        ? null
        : { label: "Open the customer", path: `/customers/${customer_id}` };
    case "capped":
    case "quiet_hours":
      return { label: "Open the settings of emails", path: "/settings" };
    case "paused":
    case "cancelled":
      return campaign_id ? openCampaign(campaign_id) : null;
    case "missing_variable":
    case "syntax":
    case "too_slow":
    case "too_large":
    case "no_unsubscribe_link":
      return template ? { label: "Open the template", path: `/templates/${template.id}` } : null;
    default:
      return sender !== undefined && sendersReasons.includes(reason ?? "")
        ? openSender(sender)
        : null;
  }
}

function openCampaign(id: string): NextStep {
  return { label: "Open the campaign", path: `/campaigns/${id}` };
}

function openSender(id: string): NextStep {
  return { label: "Open the sender", path: `/senders/${id}` };
}

/** Reasons that the settings of the sender, or its provider, decide about. */
const sendersReasons: readonly string[] = [
  "unauthorized",
  "rejected",
  "dns",
  "tls",
  "timeout",
  "unreachable",
  "network",
  "connection_failed",
  "connection_refused",
  "connection_reset",
  "connection_lost",
  "invalid_response",
  "protocol",
  "address_not_allowed",
  "no_inbox",
];

/** The reason of a message that a failed check is about. */
const reasons: Readonly<Record<string, string>> = {
  address: "no_address",
  suppression: "suppressed",
  consent: "unsubscribed",
  caps: "capped",
  quiet_hours: "quiet_hours",
};

/** Finds the page on which a check that stops messages can be settled; null if there is none. */
export function findStepOfCheck(
  { subject, sender_id }: Pick<SendExplanation["checks"][number], "subject" | "sender_id">,
  { customer, campaign_id }: {
    customer: { id: string; email: string | null };
    /** The campaign that the checks are about. */
    campaign_id: string | undefined;
  },
): NextStep | null {
  if (subject === "sender" && sender_id !== null) return openSender(sender_id);
  if (subject === "campaign" && campaign_id !== undefined) return openCampaign(campaign_id);
  return findNextStep({
    reason: reasons[subject] ?? null,
    customer_id: customer.id,
    email: customer.email,
  });
}
