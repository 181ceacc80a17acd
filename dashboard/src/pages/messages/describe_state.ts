import type { MessageState } from "../../../../supabase/functions/api/contract/messages.ts";
import type { Message } from "../../api/types.ts";

/** The states of a message, as the filter offers them. Held ones wait, too. */
export const stateLabels: Record<MessageState, string> = {
  waiting: "Waiting",
  retrying: "Retrying",
  held: "Waiting: destination paused",
  delivered: "Delivered",
  given_up: "Given up",
  missed: "Missed",
};

interface StateText {
  label: string;
  color: string;
  /** The reason for the state, or the next step; null if the label says it all. */
  note: string | null;
  /** The note in a row of a list, which has no place for the time. */
  shortNote?: string;
  /** Time of the next attempt. */
  nextAt: string | null;
}

type State = Pick<
  Message,
  "state" | "held_by" | "next_attempt_at" | "is_in_progress" | "canceled_at"
>;

/** Describes what happens to a message at its destination. */
export function describeState(message: State): StateText {
  const { state, next_attempt_at: nextAt } = message;
  if (message.is_in_progress) {
    return { label: "Sending", color: "blue", note: "Being sent now", nextAt: null };
  }
  if (message.canceled_at !== null) {
    return { label: "Canceled", color: "gray", note: "Will not be sent", nextAt: null };
  }
  const text = { label: stateLabels[state], color: colors[state] };
  if (state === "held" && message.held_by === "disabled") {
    const note = "Until the destination is enabled";
    return { ...text, label: "Waiting", note, shortNote: "Until enabled", nextAt: null };
  }
  if (state === "held") {
    const note = "Destination paused, next try";
    return { ...text, label: "Waiting", note, shortNote: "Destination paused", nextAt };
  }
  if (state === "retrying") return { ...text, note: "Next attempt", nextAt };
  if (state === "missed") {
    const note = "Destination was disabled";
    return { ...text, note, shortNote: "While disabled", nextAt: null };
  }
  return { ...text, note: notes[state] ?? null, nextAt: null };
}

const colors: Record<MessageState, string> = {
  waiting: "blue",
  retrying: "yellow",
  held: "orange",
  delivered: "green",
  given_up: "red",
  missed: "grape",
};

const notes: Partial<Record<MessageState, string>> = {
  waiting: "Due now",
  given_up: "No further attempts",
};

/** Returns whether a message can be sent now. */
export function canTryNow({ state, is_in_progress, held_by }: State): boolean {
  return state !== "delivered" && !is_in_progress && held_by !== "disabled";
}

/** Returns whether a message can be canceled. */
export function canCancel({ state, is_in_progress }: State): boolean {
  return !is_in_progress && ["waiting", "retrying", "held", "missed"].includes(state);
}
