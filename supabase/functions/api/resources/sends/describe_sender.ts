import { describeReason } from "../../contract/send_reasons.ts";
import { type Check, makeCheck, toClause } from "./check.ts";
import type { SenderFacts } from "./sender_facts.ts";

/** Says whether a sender works, and if not, why. */
export function describeSender(sender: SenderFacts): Check {
  const { message, ok } = judgeSender(sender);
  return { ...makeCheck("sender", ok, message), sender_id: sender.id };
}

function judgeSender(
  { name, state, disabled_reason, last_error }: SenderFacts,
): Pick<Check, "ok" | "message"> {
  const end = (because: string | null) => because === null ? "" : `: ${because}`;
  switch (state) {
    case "disabled": {
      const because = disabled_reason === null ? null : toClause(disabled_reason);
      return { ok: false, message: `The sender "${name}" is disabled${end(because)}` };
    }
    case "failing": {
      const because = last_error === null ? null : describeReason(last_error, "failed");
      return { ok: false, message: `The sender "${name}" is failing${end(because)}` };
    }
    case "unused":
      return { ok: true, message: `The sender "${name}" has sent nothing yet` };
    default:
      return { ok: true, message: `The sender "${name}" works` };
  }
}
