import type { Send } from "../../api/types.ts";

/** A page that explains or settles why a message was not sent. */
export interface NextStep {
  label: string;
  /** Path within the workspace. */
  path: string;
  search?: Readonly<Record<string, string | undefined>>;
}

type UnsentFacts =
  & Pick<Send, "reason" | "customer_id" | "email">
  & Partial<Pick<Send, "sender" | "template">>;

/** Finds the page on which the reason of a message can be seen or settled; null if there is none. */
export function findNextStep(
  { reason, customer_id, email, sender, template }: UnsentFacts,
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
      return { label: "Open the settings of messages", path: "/settings" };
    case "unauthorized":
    case "rejected":
      return sender === undefined ? null : { label: "Open the sender", path: `/senders/${sender}` };
    case "missing_variable":
    case "no_unsubscribe_link":
      return template ? { label: "Open the template", path: `/templates/${template.id}` } : null;
    default:
      return null;
  }
}

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
  subject: string,
  customer: { id: string; email: string | null },
): NextStep | null {
  return findNextStep({
    reason: reasons[subject] ?? null,
    customer_id: customer.id,
    email: customer.email,
  });
}
