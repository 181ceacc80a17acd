import { isRecord } from "../../json/json.ts";
import { asRecord, asText, ignore, type MappedItem, refuse } from "../drafts.ts";
import type { Material } from "../values.ts";
import { type BounceReason, classifyBounce } from "./bounces.ts";
import { type Report, toDraft } from "./reports.ts";

const names: Readonly<Record<string, Report["name"]>> = {
  delivered: "email_delivered",
  failed: "email_bounced",
  rejected: "email_failed",
  complained: "email_complained",
  unsubscribed: "unsubscribed",
};

/**
 * Maps one event of Mailgun's webhooks. A variable `external_id` names the customer; otherwise
 * their address identifies them. A temporary failure is ignored: Mailgun tries again.
 */
export function mapMailgun({ payload }: Material, messageId: string): MappedItem {
  const body = asRecord(payload);
  const event = isRecord(body["event-data"]) ? body["event-data"] : body;
  const type = asText(event.event) ?? "";
  const name = Object.hasOwn(names, type) ? names[type] : undefined;
  if (name === undefined) return ignore(`Event "${type}" is not in the preset`);
  if (type === "failed" && event.severity !== "permanent") {
    return ignore("Failure is temporary: Mailgun tries again");
  }
  const email = asText(event.recipient);
  if (email === undefined) return refuse("event-data.recipient", "is required");
  const variables = asRecord(event["user-variables"]);
  const sentId = asText(asRecord(asRecord(event.message).headers)["message-id"]);
  const draft = toDraft({
    name,
    email,
    key: asText(event.id) ?? messageId,
    externalId: asText(variables.external_id),
    at: event.timestamp,
    properties: { message_id: sentId, ...readFailure(name, event) },
    sendIds: [variables.send_id, sentId],
    providerId: sentId === undefined ? undefined : `<${sentId}>`,
    isOnly: true,
  });
  return { kind: "drafts", drafts: [draft] };
}

function readFailure(
  name: Report["name"],
  event: Record<string, unknown>,
): Record<string, unknown> {
  if (name === "email_failed") return { reason: asText(asRecord(event.reject).reason) };
  if (name !== "email_bounced") return {};
  const status = asRecord(event["delivery-status"]);
  const diagnostic = asText(status.message) ?? asText(status.description);
  const subtype = asText(event.reason);
  return {
    ...classifyBounce({
      status: asText(status["enhanced-code"]),
      diagnostic,
      isPermanent: true,
      reason: readReason(subtype),
    }),
    bounce_subtype: subtype,
    diagnostic,
    code: asText(status.code),
  };
}

/** Reads Mailgun's reasons: `old` is a message that was tried until it expired. */
function readReason(reason: string | undefined): BounceReason | undefined {
  if (reason === "old") return "expired";
  return reason === "espblock" ? "content_refused" : undefined;
}
