import type { engagements } from "../../../../supabase/functions/api/contract/sends.ts";
import {
  describeReason,
  describeSuppression,
} from "../../../../supabase/functions/api/contract/send_reasons.ts";
import { capitalize } from "../../format/capitalize.ts";
import type { SendSummary } from "../../api/types.ts";

/** A report on a message after it was sent. */
export type Engagement = (typeof engagements)[number];

/** Names of the reports. */
export const engagementLabels: Readonly<Record<Engagement, string>> = {
  delivered: "Delivered",
  opened: "Opened",
  clicked: "Clicked",
  unsubscribed: "Unsubscribed",
  soft_bounced: "Soft bounce",
  bounced: "Bounced",
  complained: "Complained",
};

/** Names of the mails that go to an address that somebody chose; a message to a customer needs none. */
export const purposeLabels: Readonly<Record<SendSummary["purpose"], string | null>> = {
  message: null,
  test: "Test",
  alert: "Alert",
  invitation: "Invitation",
};

/** A send in a word, and the color of it. */
export interface SendText {
  label: string;
  color: string;
}

type Facts = Pick<
  SendSummary,
  "state" | "reason" | "feedback" | "opened_at" | "clicked_at" | "unsubscribed_at"
>;

/** Explains the suppression of an address by its reason, null if it has ended. */
export function explainSuppression(reason: string | null): string {
  if (reason === null) return "The address was suppressed, and no longer is.";
  return `The address is suppressed: ${describeSuppression(reason)}.`;
}

/**
 * Explains a reason as a sentence; returns one that this version does not know as it is.
 *
 * @param state of the message, or the outcome of the attempt; a skipped message if omitted
 */
export function explainReason(reason: string, state?: string): string {
  const text = describeReason(reason, state);
  return text === reason ? reason : `${capitalize(text)}.`;
}

/** Describes what became of a send, the furthest that is known. */
export function describeSend(send: Facts): SendText {
  switch (send.state) {
    case "sent":
      return describeSent(send);
    case "queued":
      return { label: send.reason === null ? "Queued" : "Waiting", color: "blue" };
    case "sending":
      return { label: "Sending", color: "blue" };
    case "skipped":
      return { label: "Not sent", color: "yellow" };
    case "failed":
      return { label: "Failed", color: "red" };
    default:
      return { label: "Unknown", color: "orange" };
  }
}

/** Describes what became of a send and why, in one line: "Not sent: the customer has no address". */
export function summarizeSend(send: Facts): string {
  const { label } = describeSend(send);
  if (send.reason === null) return label;
  return `${label}: ${describeReason(send.reason, send.state)}`;
}

function describeSent(send: Facts): SendText {
  if (send.feedback === "complained") return { label: engagementLabels.complained, color: "red" };
  if (send.feedback === "bounced") return { label: engagementLabels.bounced, color: "red" };
  if (send.unsubscribed_at !== null) {
    return { label: engagementLabels.unsubscribed, color: "yellow" };
  }
  if (send.clicked_at !== null) return { label: engagementLabels.clicked, color: "teal" };
  if (send.opened_at !== null) return { label: engagementLabels.opened, color: "teal" };
  if (send.feedback === "soft_bounced") {
    return { label: engagementLabels.soft_bounced, color: "yellow" };
  }
  if (send.feedback === "delivered") return { label: engagementLabels.delivered, color: "green" };
  return { label: "Sent", color: "green" };
}
