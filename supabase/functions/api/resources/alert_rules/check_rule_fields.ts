import { invalidInput } from "../../../_shared/errors/errors.ts";
import { type AlertKind, alertKinds } from "../../contract/alerts.ts";

/** Throws `invalid_input` for a threshold or target that a kind of rule cannot have. */
export function checkRuleFields(
  kind: AlertKind,
  { threshold, target_id: targetId }: {
    threshold?: number | undefined;
    target_id?: string | null | undefined;
  },
): void {
  const { most, target } = alertKinds[kind];
  if (threshold !== undefined && threshold > most) {
    throw invalidInput([{ field: "threshold", message: `must be from 0 to ${most}` }]);
  }
  if (target === null && targetId !== undefined && targetId !== null) {
    throw invalidInput([{ field: "target_id", message: `must be null for the kind "${kind}"` }]);
  }
}
