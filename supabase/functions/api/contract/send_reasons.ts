/**
 * Texts of the reasons why a message waits, was not sent or failed, by the stored code: a part of a
 * sentence, which begins with a small letter and has no full stop.
 */
export const sendReasons = {
  // Before a message is handed to its provider.
  suppressed: "the address was suppressed",
  unsubscribed: "the address was not subscribed to the topic",
  capped: "the address had received as many messages as the caps of the workspace allow",
  quiet_hours: "the quiet hours of the customer have not ended",
  paused: "the campaign is paused",
  no_address: "the customer had no address",
  customer_deleted: "the customer was deleted",
  erased: "the customer was erased",
  template_deleted: "the template was deleted",
  topic_deleted: "the topic was deleted",
  sender_deleted: "the sender was deleted",
  no_unsubscribe_link: "the message has no unsubscribe link, which marketing needs",
  too_late: "its time limit passed before its turn came",
  cancelled: "the campaign was cancelled",
  merged: "the customer got it under another record, before the two were merged",
  same_address: "another customer with this address got it",
  // Rendering it.
  missing_variable: "a variable of the template was missing",
  syntax: "the template has an error",
  too_slow: "the template took too long",
  too_large: "the text was too large",
  // Handing it over.
  unauthorized: "the provider refused the credentials of the sender",
  rejected: "the provider refused the message",
  recipient_suppressed: "the provider has suppressed the address",
  temporary_refusal: "the provider refused it for now",
  rate_limited: "the provider asked for a pause",
  provider_error: "the provider had an error",
  in_progress: "the provider is still working on it",
  idempotency_conflict: "the provider already received it, with different contents",
  key_expired: "the provider may have accepted it more than a day ago",
  dns: "the mail server was not found (DNS)",
  timeout: "the mail server did not answer in time",
  unreachable: "the mail server could not be reached",
  network: "the connection to the mail server failed",
  connection_failed: "the connection to the mail server failed",
  connection_refused: "the mail server refused the connection",
  connection_reset: "the connection to the mail server ended early",
  connection_lost: "the connection to the mail server ended early",
  invalid_response: "the answer of the mail server was not understood",
  protocol: "the answer of the mail server was not understood",
  tls: "the mail server could not prove its identity (TLS)",
  address_not_allowed: "the mail server has no address on the public internet",
  no_inbox: "no local inbox is running",
  interrupted: "the service was interrupted while handing it to the provider",
  internal: "the service had an error of its own",
} as const;

/** Codes of the service's own restarts, which campaigns use for something else. */
const restarts: Readonly<Record<string, string>> = {
  cancelled: "the service was restarted before the provider had it",
};

/**
 * Describes the reason of a message as a part of a sentence; returns one that this version does not
 * know as it is.
 *
 * @param state of the message, or the outcome of the attempt: only a skipped message was cancelled
 */
export function describeReason(reason: string, state = "skipped"): string {
  const restart = state === "skipped" ? undefined : restarts[reason];
  return restart ??
    (Object.hasOwn(sendReasons, reason) ? sendReasons[reason as keyof typeof sendReasons] : reason);
}

/** Texts of the reasons why an address is suppressed, by the stored code: the end of a sentence. */
export const suppressionReasons = {
  manual: "added manually or through the API",
  import: "it was imported",
  hard_bounce: "a message to it bounced permanently",
  soft_bounces: "several messages in a row bounced",
  complaint: "its owner complained about a message",
} as const;

/** Describes why an address is suppressed; returns a code that this version does not know as it is. */
export function describeSuppression(reason: string): string {
  return Object.hasOwn(suppressionReasons, reason)
    ? suppressionReasons[reason as keyof typeof suppressionReasons]
    : reason;
}

/** Texts of the limits of a sender that hold its messages back: a part of a sentence. */
const senderLimits: Readonly<Record<string, string>> = {
  stopped: "all sends of the workspace are stopped",
  disabled: "the sender is disabled",
  breaker: "the sender failed several times in a row, and single messages are tried until one " +
    "succeeds",
  provider: "the provider asked for a pause",
  concurrency: "as many messages are on their way as the sender allows at once",
  rate: "the limit of messages per second of the sender is reached",
};

/** Describes what holds the messages of a sender back; null if they are only due now or later. */
export function describeLimit(limitedBy: string | null): string | null {
  return senderLimits[limitedBy ?? ""] ?? null;
}
