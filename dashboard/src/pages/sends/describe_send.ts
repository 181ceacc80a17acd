import type { engagements } from "../../../../supabase/functions/api/contract/sends.ts";
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

const reasons: Readonly<Record<string, string>> = {
  suppressed: "The address is suppressed.",
  unsubscribed: "The address is not subscribed to the topic.",
  capped: "The address has received as many messages as the workspace’s caps allow.",
  quiet_hours: "The customer has quiet hours now. The message is checked again when they end.",
  paused: "The campaign is paused.",
  no_address: "The customer has no address.",
  customer_deleted: "The customer was deleted.",
  erased: "The customer was erased.",
  template_deleted: "The template was deleted.",
  topic_deleted: "The topic was deleted.",
  sender_deleted: "The sender was deleted.",
  no_unsubscribe_link: "The message has no unsubscribe link, which marketing needs.",
  too_late: "Its time limit passed before its turn came.",
  cancelled: "The campaign was cancelled.",
  merged: "The customer got it under another record, before the two were merged.",
  same_address: "Another customer with this address got it.",
  missing_variable: "A variable of the template was missing, and the template is strict.",
  unauthorized: "The provider refused the credentials of the sender. It waits until you fix them.",
  interrupted: "The service stopped while the message was on its way.",
  rejected: "The provider refused the message.",
};

const suppressionReasons: Readonly<Record<string, string>> = {
  manual: "The address is suppressed: somebody added it, or a program did.",
  import: "The address is suppressed: it was imported.",
  hard_bounce: "The address is suppressed: a message to it bounced permanently.",
  soft_bounces: "The address is suppressed: several messages in a row bounced.",
  complaint: "The address is suppressed: its owner complained about a message.",
};

/** Explains the suppression of an address by its reason, null if it has ended. */
export function explainSuppression(reason: string | null): string {
  if (reason === null) return "The address was suppressed, and no longer is.";
  return suppressionReasons[reason] ?? `The address is suppressed: ${reason}.`;
}

/** Explains a reason as a sentence; returns one that this version does not know as it is. */
export function explainReason(reason: string): string {
  return reasons[reason] ?? reason;
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
  const why = explainReason(send.reason).replace(/\.$/, "");
  return `${label}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
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
