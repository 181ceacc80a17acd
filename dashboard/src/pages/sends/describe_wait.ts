import {
  describeLimit,
  describeReason,
} from "../../../../supabase/functions/api/contract/send_reasons.ts";
import type { Send, Sender } from "../../api/types.ts";
import type { NextStep } from "./find_next_step.ts";

/** The cause for which a message waits. */
interface Wait {
  title: string;
  /** Yellow if an attempt failed, or if somebody has to do something. */
  color: "blue" | "yellow";
  step: NextStep | null;
}

type Facts = Pick<Send, "reason" | "attempts" | "next_attempt_at">;
type SenderFacts = Pick<Sender, "id" | "name" | "health" | "limited_by">;

/** Reasons that nobody has to settle. */
const passing: readonly (string | null)[] = ["quiet_hours", "capped"];

/**
 * Describes what a queued message waits for.
 *
 * @param sender undefined until it is read, or if it was deleted
 */
export function describeWait(send: Facts, sender: SenderFacts | undefined, now: Date): Wait {
  const { reason, attempts } = send;
  const held = sender && describeSender(sender);
  if (held && (reason === null || sender.health.state === "disabled")) {
    return { title: `Waiting: ${held.text}`, color: "yellow", step: held.step };
  }
  if (reason !== null) {
    const why = describeReason(reason, "queued");
    const isFailure = attempts.at(-1)?.reason === reason;
    return {
      title: isFailure
        ? `Attempt ${attempts.length} failed, will be retried: ${why}`
        : `Waiting: ${why}`,
      color: passing.includes(reason) && attempts.length === 0 ? "blue" : "yellow",
      step: held?.step ?? null,
    };
  }
  const color = attempts.length === 0 ? "blue" : "yellow";
  const limit = sender && describeLimit(sender.limited_by);
  if (limit) return { title: `Waiting: ${limit}`, color, step: null };
  const isLater = send.next_attempt_at !== null && new Date(send.next_attempt_at) > now;
  return { title: isLater ? "Waiting until it is due" : "Waiting for its turn", color, step: null };
}

/** Says why a sender does not work; null if it does. */
function describeSender({ id, name, health }: SenderFacts) {
  const step: NextStep = { label: "Open the sender", path: `/senders/${id}` };
  if (health.state === "disabled") return { text: `the sender “${name}” is disabled`, step };
  if (health.state !== "failing") return null;
  const because = health.last_error === null
    ? ""
    : `: ${describeReason(health.last_error, "failed")}`;
  return { text: `the sender “${name}” is failing${because}`, step };
}
