import { describeLimit, describeReason, describeSuppression } from "../../contract/send_reasons.ts";
import { type Check, type Explanation, makeCheck, toClause } from "./check.ts";
import { describeSender } from "./describe_sender.ts";
import type { AnsweredSend, CampaignEntry, SendFacts } from "./send_queries.ts";
import type { SenderFacts } from "./sender_facts.ts";

/** Describes what decides about messages to a customer now, and what became of those before. */
export function describeChecks(
  { facts, senders, sends, entry }: {
    facts: SendFacts;
    senders: readonly SenderFacts[];
    sends: readonly AnsweredSend[];
    /** Checks of the campaign or the journey, if it is about one. */
    entry: readonly Check[];
  },
): Pick<Explanation, "answer" | "checks"> {
  const checks = [
    ...entry,
    ...describeFacts(facts),
    ...senders.map(describeSender),
    ...sends.map(describeSend),
  ];
  return { answer: summarize({ facts, senders, sends, checks }), checks };
}

/** Describes a campaign and the state of a customer in it; null if the campaign was deleted. */
export function describeCampaign(entry: CampaignEntry | null): Check[] {
  if (entry === null) return [makeCheck("entry", false, "The campaign was deleted")];
  const [isGoing, state] = campaignStates[entry.campaign_state] ?? [];
  return [
    describeEntry(entry),
    ...(state === undefined ? [] : [makeCheck("campaign", isGoing!, state)]),
  ];
}

/** States of a campaign that has begun, with what each means for its messages. */
const campaignStates: Readonly<Record<string, [isGoing: boolean, message: string]>> = {
  sending: [true, "The campaign is running"],
  completed: [true, "The campaign has completed"],
  paused: [false, "The campaign is paused"],
  cancelled: [false, "The campaign was cancelled"],
};

function describeEntry(entry: CampaignEntry): Check {
  if (!entry.recipient) return makeCheck("entry", false, describeAbsence(entry));
  const because = entry.reason === null ? "" : `: ${describeReason(entry.reason)}`;
  const ends: Readonly<Record<string, string>> = {
    pending: entry.due_at === null ? "" : `, due at ${entry.due_at}`,
    skipped: ` that was skipped${because}`,
  };
  const end = ends[entry.state ?? ""] ?? "";
  const message = `The customer is a recipient of the campaign${end}`;
  return makeCheck("entry", entry.state !== "skipped", message);
}

/** Says why a customer is not a recipient of a campaign. */
function describeAbsence(
  { has_begun, segment, excluded_by, computed_again, shares_address }: CampaignEntry,
): string {
  const is = has_begun ? "was" : "is";
  const when = has_begun ? " when the campaign began" : "";
  if (segment !== null) return `The customer ${is} not in the segment "${segment}"${when}`;
  if (excluded_by !== null) {
    return `The customer ${is} in the segment "${excluded_by}"${when}, which the campaign leaves out`;
  }
  if (!has_begun) return "The campaign has not begun";
  if (computed_again !== null) {
    return `The segment "${computed_again}" changed after the campaign began, so its members at that ` +
      "time are unknown";
  }
  if (shares_address) {
    return "Another recipient has the same address, and each address gets the campaign once";
  }
  return "The customer had no address when the campaign began, or another member had the same one";
}

function describeFacts(facts: SendFacts): Check[] {
  const { email, suppression, topics, caps, quiet_until, stopped_at } = facts;
  const stopped = `All sends of the workspace have been stopped since ${stopped_at}`;
  return [
    ...(stopped_at === null ? [] : [makeCheck("stopped", false, stopped)]),
    makeCheck(
      "address",
      email !== null,
      email === null ? "The customer has no address" : `The address is ${email}`,
    ),
    ...(email === null ? [] : [checkSuppression(suppression), ...topics.map(describeConsent)]),
    ...caps.map(({ max, per, used }) => {
      return makeCheck("caps", used < max, `${used} of ${max} marketing emails in ${per}`);
    }),
    quiet_until === null
      ? makeCheck("quiet_hours", true, "Quiet hours do not apply now")
      : makeCheck("quiet_hours", false, `Marketing emails wait until ${quiet_until}`),
  ];
}

function checkSuppression(suppression: SendFacts["suppression"]): Check {
  if (suppression === null) return makeCheck("suppression", true, "The address is not suppressed");
  const { reason, until } = suppression;
  const end = until === null ? "" : ` until ${until}`;
  const message = `The address is suppressed${end}: ${describeSuppression(reason)}`;
  return makeCheck("suppression", false, message);
}

function describeConsent({ name, subscribed }: SendFacts["topics"][number]): Check {
  const not = subscribed ? "" : "not ";
  return makeCheck("consent", subscribed, `The address is ${not}subscribed to "${name}"`);
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
  const because = reason === null ? "" : `: ${describeReason(reason, state)}`;
  const kind = feedback_reason === null ? "" : ` (${feedback_reason})`;
  const later = feedback === null ? "" : `${feedbacks[feedback]}${kind}`;
  const isAnswered = response && reason !== null && state !== "skipped";
  const answer = isAnswered ? `. Its answer: ${response.slice(0, maxAnswer).trim()}` : "";
  return {
    ...makeCheck(
      "send",
      isFine(send) && !["bounced", "complained"].includes(feedback ?? ""),
      `${outcomes[state]}${later}${because}${answer}`,
    ),
    at: send.finished_at ?? send.sent_at ?? send.queued_at,
    send_id: id,
    state,
    sender_id: send.sender,
  };
}

/** Reasons for which a message waits although nothing is wrong. */
const waits: readonly (string | null)[] = [null, "quiet_hours", "capped"];

/** Returns whether nothing stopped a message so far. */
function isFine({ state, reason }: AnsweredSend): boolean {
  if (state === "queued") return waits.includes(reason);
  return state === "sending" || state === "sent";
}

interface Found {
  facts: SendFacts;
  senders: readonly SenderFacts[];
  sends: readonly AnsweredSend[];
  checks: readonly Check[];
}

function summarize(found: Found): string {
  const { sends: [newest], checks } = found;
  if (newest !== undefined) {
    const message = checks.find(({ send_id }) => send_id === newest.id)!.message;
    const cause = newest.state === "queued" ? findHindrance(newest, found) : null;
    return cause === null ? message : `${message}: ${cause}`;
  }
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return "No message was created for the customer";
  const because = toClause(failed.message);
  return failed.subject === "entry"
    ? `Not sent: ${because}`
    : `No message was created, and none would be sent now: ${because}`;
}

/** Finds what holds a message back that waits; null if its own reason says it, or nothing does. */
function findHindrance(newest: AnsweredSend, { facts, senders, checks }: Found): string | null {
  if (facts.stopped_at !== null) return "all sends of the workspace are stopped";
  if (newest.reason !== null) return null;
  const isHere = ({ subject, sender_id }: Check) =>
    subject === "campaign" || (subject === "sender" && sender_id === newest.sender);
  const failed = checks.find((check) => !check.ok && isHere(check));
  if (failed !== undefined) return toClause(failed.message);
  const sender = senders.find(({ id }) => id === newest.sender);
  return sender === undefined ? null : describeLimit(sender.limited_by);
}
