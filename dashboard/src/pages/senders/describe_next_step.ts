import {
  describeLimit,
  describeReason,
} from "../../../../supabase/functions/api/contract/send_reasons.ts";
import type { Sender } from "../../api/types.ts";
import { capitalize } from "../../format/capitalize.ts";
import { countOf } from "../../format/numbers.ts";

/** Says why a sender does not send, and what to do about it; null while all is well. */
export function describeNextStep(
  { health: { state, last_error, pending }, disabled_reason, limited_by }: Pick<
    Sender,
    "health" | "disabled_reason" | "limited_by"
  >,
): string | null {
  const waiting = pending > 0 ? ` ${countOf(pending, "email")} waiting.` : "";
  if (state === "failing") {
    const reason = last_error === null
      ? ""
      : `${asSentence(describeReason(last_error, "failed"))} `;
    return `${reason}Fix the settings, then send a test email.${waiting}`;
  }
  if (state === "disabled") {
    const reason = disabled_reason === null ? "" : `${asSentence(disabled_reason)} `;
    return `${reason}Enable it to send.${waiting}`;
  }
  if (state === "unused") return `Send a test email before you use it.${waiting}`;
  const limit = describeLimit(limited_by);
  return limit === null ? null : `${asSentence(limit)}${waiting}`;
}

function asSentence(text: string): string {
  return capitalize(/[.!?]$/.test(text) ? text : `${text}.`);
}
