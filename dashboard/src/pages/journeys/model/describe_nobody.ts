import type { Definition } from "../../../api/journey_definition.ts";
import type { Rehearsal } from "../../../api/types.ts";
import { countOf } from "../../../format/numbers.ts";
import { describeTrigger } from "./describe_step.ts";
import type { NameOf } from "./name_of.ts";

type Entered = Pick<Rehearsal, "entered" | "holdout" | "not_entered" | "definition">;

/** Says why a rehearsal let nobody in; undefined if somebody would have entered. */
export function describeNobody(result: Entered, nameOf: NameOf): string | undefined {
  const { entered, holdout, not_entered } = result;
  if (entered > holdout.entered) return undefined;
  const refusals = Object.entries(not_entered).filter(([, count]) => count > 0)
    .map(([reason, count]) => {
      const text = reason === "condition" ? "the entry condition" : reason.replaceAll("_", " ");
      return `${countOf(count, "entry was", "entries were")} refused: ${text}.`;
    });
  const held = entered > 0
    ? [`${countOf(entered, "customer was", "customers were")} held out.`]
    : [];
  const texts = [...refusals, ...held];
  if (texts.length > 0) return texts.join(" ");
  const { trigger } = result.definition as Definition;
  return `Nobody matched the trigger in this period: ${describeTrigger(trigger, nameOf)}.`;
}
