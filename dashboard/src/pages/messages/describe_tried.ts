import type { Message } from "../../api/types.ts";
import { nameError } from "../deliveries/outcome_badge.tsx";

/** The result of trying a message now. */
export interface TriedText {
  text: string;
  /** Time of the next attempt, after the text. */
  nextAt?: string;
  /** The attempt that was made. */
  deliveryId?: string;
}

type State = Pick<Message, "state" | "next_attempt_at" | "is_in_progress" | "last_attempt">;

/** Returns the attempt that was made since the message looked as before; undefined for none. */
export function findNewAttempt(before: State, now: State | undefined): Message["last_attempt"] {
  const attempt = now?.last_attempt ?? null;
  return attempt?.delivery_id === before.last_attempt?.delivery_id ? null : attempt;
}

/**
 * Says what happened after a message was tried now.
 *
 * @param before the message when it was asked for
 * @returns undefined as long as there is something to wait for
 */
export function describeTried(
  before: State,
  now: State | undefined,
  isLate: boolean,
): TriedText | undefined {
  const attempt = findNewAttempt(before, now);
  if (now === undefined || attempt === null) {
    if (!isLate) return undefined;
    return { text: now?.is_in_progress ? "The attempt is in progress" : "The attempt is queued" };
  }
  const deliveryId = attempt.delivery_id;
  if (now.state === "delivered") return { text: "Delivered", deliveryId };
  const what = nameOutcome(attempt);
  const isSame = before.last_attempt !== null && nameOutcome(before.last_attempt) === what;
  const tried = `Tried: ${what}${isSame ? " again" : ""}.`;
  return now.next_attempt_at === null
    ? { text: `${tried} No automatic attempt follows.`, deliveryId }
    : { text: `${tried} Next automatic attempt`, nextAt: now.next_attempt_at, deliveryId };
}

/** Names why an attempt failed: "500", "connection refused". */
function nameOutcome({ status_code, error }: NonNullable<Message["last_attempt"]>): string {
  return status_code?.toString() ?? (error === null ? "failed" : nameError(error));
}
