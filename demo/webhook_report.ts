import type { Delivery } from "./call_api.ts";
import { count, line } from "./text.ts";
import type { WebhookOutcome } from "./webhooks.ts";

/** Formats the received requests and the log of one message for a terminal. */
export function formatWebhookReport(
  { url, eventTypes, received, attempts, replay }: WebhookOutcome,
) {
  const { requests, messages, failed, validStandard, validService } = received;
  const retried = failed.filter((id) => (messages.get(id)?.attempts ?? 0) > 1);
  return [
    `Webhooks to ${url}`,
    line("subscribed", `${eventTypes.join(", ")}, and a test ping`),
    line("received", `${count(messages.size)} messages in ${count(requests)} requests`),
    line("signatures", `${count(validStandard)} valid by the library standardwebhooks`),
    line(
      "",
      `${count(validService)} valid in X-Service-Signature, by a few lines of the demo's own`,
    ),
    line("failed", `${count(failed.length)} on purpose, ${count(retried.length)} came again`),
    ...(replay
      ? [line("replayed", `${replay.eventType} ${replay.messageId}, ${describe(replay.isSame)}`)]
      : []),
    ...(attempts.length > 0
      ? [`  the log of ${attempts[0]?.event_type} ${attempts[0]?.message_id}`]
      : []),
    ...attempts.map(formatAttempt),
  ].join("\n");
}

function formatAttempt(attempt: Delivery): string {
  const { attempt_number, attempted_at, trigger, status_code, response_snippet } = attempt;
  const at = attempted_at.slice(11, 23);
  const response = `${status_code ?? "no response"} ${response_snippet ?? ""}`.trimEnd();
  return `    ${at}  attempt ${attempt_number} (${trigger}): ${response}`;
}

function describe(isSame: boolean): string {
  return isSame ? "with the same id and bytes" : "BUT NOT with the same id and bytes";
}
