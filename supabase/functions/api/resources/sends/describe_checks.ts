import type { z } from "zod";
import type { sendExplanation } from "../../contract/sends.ts";
import type { AnsweredSend, CampaignEntry, SendFacts } from "./send_queries.ts";

type Explanation = z.output<typeof sendExplanation>;
type Check = Explanation["checks"][number];

/** Sentences for the reasons of sends. */
const reasons: Readonly<Record<string, string>> = {
  suppressed: "the address was suppressed",
  unsubscribed: "the address was not subscribed to the topic",
  capped: "the address had received as many messages as the workspace's caps allow",
  quiet_hours: "the customer's quiet hours have not ended",
  no_address: "the customer had no address",
  customer_deleted: "the customer was deleted",
  erased: "the customer was erased",
  template_deleted: "the template was deleted",
  topic_deleted: "the topic was deleted",
  sender_deleted: "the sender was deleted",
  no_unsubscribe_link: "the message has no link to unsubscribe",
  too_late: "its turn came too late",
  cancelled: "the campaign was cancelled",
  merged: "the customer got it under another record, before the two were merged",
  same_address: "another customer with this address got it",
  missing_variable: "a variable of the template was missing",
  unauthorized: "the provider refused the credentials of the sender",
  rejected: "the provider refused the message",
  recipient_suppressed: "the provider has suppressed the address",
  temporary_refusal: "the provider refused it for now",
  rate_limited: "the provider asked for a pause",
  provider_error: "the provider had an error",
  in_progress: "the provider is still working on it",
  timeout: "the provider did not answer in time",
  connection_failed: "the connection to the provider failed",
  connection_refused: "the provider refused the connection",
  connection_reset: "the connection to the provider ended early",
  connection_lost: "the connection to the provider ended early",
  invalid_response: "the service did not understand the provider's answer",
  protocol: "the service did not understand the provider's answer",
  tls: "the provider could not prove its identity",
  dns: "the host of the provider was not found",
  unreachable: "the provider could not be reached",
  address_not_allowed: "the provider has no address on the public internet",
  interrupted: "the service was interrupted while handing it to the provider",
  key_expired: "the provider may have accepted it more than a day ago",
  idempotency_conflict: "the provider already received it, with different contents",
  too_slow: "the template took too long",
  too_large: "the text was too large",
  syntax: "the template has an error",
  paused: "the campaign is paused",
};

/** Describes what decides about messages to a customer now, and what became of those before. */
export function describeChecks(
  facts: SendFacts,
  sends: readonly AnsweredSend[],
  entry: readonly Check[] = [],
): Pick<Explanation, "answer" | "checks"> {
  const checks = [...entry, ...describeFacts(facts), ...sends.map(describeSend)];
  return { answer: summarize(facts, sends, checks), checks };
}

/** Describes the state of a customer in a campaign; null if the campaign was deleted. */
export function describeEntry(entry: CampaignEntry | null): Check {
  if (entry === null) return check("entry", false, "The campaign was deleted");
  if (!entry.recipient) return check("entry", false, describeAbsence(entry));
  const because = entry.reason === null ? "" : `: ${reasons[entry.reason] ?? entry.reason}`;
  const ends: Readonly<Record<string, string>> = {
    pending: entry.due_at === null ? "" : `, due at ${entry.due_at}`,
    skipped: ` that was skipped${because}`,
  };
  const end = ends[entry.state ?? ""] ?? "";
  const message = `The customer is a recipient of the campaign${end}`;
  return check("entry", entry.state !== "skipped", message);
}

/** Says why a customer is not a recipient of a campaign. */
function describeAbsence({ has_begun, segment, excluded_by }: CampaignEntry): string {
  const is = has_begun ? "was" : "is";
  const when = has_begun ? " when the campaign began" : "";
  if (segment !== null) return `The customer ${is} not in the segment "${segment}"${when}`;
  if (excluded_by !== null) {
    return `The customer ${is} in the segment "${excluded_by}"${when}, which the campaign leaves out`;
  }
  if (!has_begun) return "The campaign has not begun";
  return "The customer had no address when the campaign began, or another member had the same one";
}

function check(subject: Check["subject"], ok: boolean, message: string): Check {
  return { subject, ok, message, at: null, send_id: null };
}

function describeFacts(facts: SendFacts): Check[] {
  const { email, suppression, topics, caps, quiet_until, stopped_at } = facts;
  const stopped = `All sends of the workspace have been stopped since ${stopped_at}`;
  return [
    ...(stopped_at === null ? [] : [check("stopped", false, stopped)]),
    check(
      "address",
      email !== null,
      email === null ? "The customer has no address" : `The address is ${email}`,
    ),
    ...(email === null ? [] : [describeSuppression(suppression), ...topics.map(describeConsent)]),
    ...caps.map(({ max, per, used }) => {
      return check("caps", used < max, `${used} of ${max} marketing messages in ${per}`);
    }),
    quiet_until === null
      ? check("quiet_hours", true, "Quiet hours do not apply now")
      : check("quiet_hours", false, `Marketing messages wait until ${quiet_until}`),
  ];
}

function describeSuppression(suppression: SendFacts["suppression"]): Check {
  if (suppression === null) return check("suppression", true, "The address is not suppressed");
  const { reason, until } = suppression;
  const end = until === null ? "" : ` until ${until}`;
  return check("suppression", false, `The address is suppressed${end}: ${reason}`);
}

function describeConsent({ name, subscribed }: SendFacts["topics"][number]): Check {
  const not = subscribed ? "" : "not ";
  return check("consent", subscribed, `The address is ${not}subscribed to "${name}"`);
}

/** Most characters of the answer of a provider. */
const maxAnswer = 200;

const outcomes = {
  queued: "Waiting",
  sending: "Being handed to the provider",
  sent: "Sent",
  failed: "Failed",
  skipped: "Not sent",
  unknown: "Unknown whether it was sent",
} as const;

const feedbacks = {
  delivered: " and delivered",
  soft_bounced: " and bounced for now",
  bounced: " and bounced",
  complained: " and reported as spam",
} as const;

function describeSend(send: AnsweredSend): Check {
  const { id, state, reason, feedback, feedback_reason, response } = send;
  const because = reason === null ? "" : `: ${reasons[reason] ?? reason}`;
  const kind = feedback_reason === null ? "" : ` (${feedback_reason})`;
  const later = feedback === null ? "" : `${feedbacks[feedback]}${kind}`;
  const isAnswered = response && reason !== null && state !== "skipped";
  const answer = isAnswered ? `. Its answer: ${response.slice(0, maxAnswer).trim()}` : "";
  return {
    subject: "send",
    ok: !["failed", "skipped", "unknown"].includes(state) &&
      !["bounced", "complained"].includes(feedback ?? ""),
    message: `${outcomes[state]}${later}${because}${answer}`,
    at: send.finished_at ?? send.sent_at ?? send.queued_at,
    send_id: id,
  };
}

function summarize(
  { stopped_at }: SendFacts,
  [newest]: readonly AnsweredSend[],
  checks: readonly Check[],
): string {
  if (newest !== undefined) {
    const isHeld = newest.state === "queued" && stopped_at !== null;
    const message = checks.find(({ send_id }) => send_id === newest.id)!.message;
    return isHeld ? `${message}: all sends of the workspace are stopped` : message;
  }
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return "No message was created for the customer";
  const because = failed.message[0]!.toLowerCase() + failed.message.slice(1);
  return failed.subject === "entry"
    ? `Not sent: ${because}`
    : `No message was created, and none would be sent now: ${because}`;
}
