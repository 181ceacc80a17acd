import { describeReason } from "../../../../supabase/functions/api/contract/send_reasons.ts";
import type { Send } from "../../api/types.ts";

/** Describes what came of an attempt to hand a message to its provider, in one line. */
export function describeAttempt(
  { state, attempts }: Pick<Send, "state" | "attempts">,
  index: number,
): string {
  const { outcome, reason } = attempts[index]!;
  const name = `Attempt ${index + 1}`;
  if (outcome === "sent") return `${name}: accepted by the provider`;
  const isRetried = state === "queued" && index === attempts.length - 1;
  const because = reason ? `: ${describeReason(reason, outcome ?? state)}` : "";
  return outcome === "unknown"
    ? `${name}, outcome unknown${because}`
    : `${name} failed${isRetried ? ", will be retried" : ""}${because}`;
}
