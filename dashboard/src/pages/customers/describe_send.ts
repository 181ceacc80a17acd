import type { SendSummary } from "../../api/types.ts";

type ShownSend = Pick<
  SendSummary,
  "state" | "reason" | "feedback" | "opened_at" | "clicked_at" | "unsubscribed_at"
>;

const states: Readonly<Record<SendSummary["state"], { label: string; color: string }>> = {
  queued: { label: "Queued", color: "gray" },
  sending: { label: "Sending", color: "gray" },
  sent: { label: "Sent", color: "teal" },
  failed: { label: "Failed", color: "red" },
  skipped: { label: "Not sent", color: "yellow" },
  unknown: { label: "Unknown", color: "orange" },
};

const feedbacks = {
  delivered: { label: "Delivered", color: "teal" },
  soft_bounced: { label: "Bounced for now", color: "orange" },
  bounced: { label: "Bounced", color: "red" },
  complained: { label: "Complained", color: "red" },
} as const;

/** Names the furthest state of a send, with its colour, and the reason if it has one. */
export function describeSend(
  { state, reason, feedback, opened_at, clicked_at, unsubscribed_at }: ShownSend,
): { label: string; color: string; reason: string } {
  const text = (reason ?? "").replaceAll("_", " ");
  const isBad = feedback !== null && feedback !== "delivered";
  const shown = isBad
    ? feedbacks[feedback]
    : unsubscribed_at
    ? { label: "Unsubscribed", color: "orange" }
    : clicked_at
    ? { label: "Clicked", color: "green" }
    : opened_at
    ? { label: "Opened", color: "green" }
    : feedback === null
    ? states[state]
    : feedbacks[feedback];
  return { ...shown, reason: text };
}
