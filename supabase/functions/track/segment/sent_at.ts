import { earliestTime, parseInstant } from "../../_shared/entries/fields.ts";
import { maxAheadMs } from "../../_shared/entries/read_entry.ts";
import { isRecord } from "../../_shared/json/json.ts";
import { timeOf } from "../../_shared/segment/translate.ts";

export interface SentAtOrigin {
  /** The envelope's `sentAt`, used if the message has no possible one. */
  envelopeSentAt: unknown;
  /** Time of receipt in ms. */
  receivedAt: number;
}

/**
 * Returns when a message was sent by its sender's clock, in ms since 1970; undefined if unknown.
 * Ignores impossible values: an invalid time, or one that would move the message out of the range
 * of an entry.
 */
export function findSentAt(message: unknown, origin: SentAtOrigin): number | undefined {
  if (!isRecord(message)) return undefined;
  const time = parseTime(timeOf(message));
  return [message.sentAt, origin.envelopeSentAt].map(parseTime).find((sentAt) => {
    return sentAt !== undefined && isCredible({ sentAt, time, receivedAt: origin.receivedAt });
  });
}

interface Times {
  sentAt: number;
  /** The message's time, if it has one. */
  time: number | undefined;
  receivedAt: number;
}

function isCredible({ sentAt, time = sentAt, receivedAt }: Times): boolean {
  const corrected = time + receivedAt - sentAt;
  return corrected >= earliestTime && corrected <= receivedAt + maxAheadMs;
}

function parseTime(value: unknown): number | undefined {
  return typeof value === "string" ? parseInstant(value) : undefined;
}
