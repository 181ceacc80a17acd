import { describeCondition } from "./describe.ts";
import { useNameOf } from "./use_references.ts";

/** A condition as a sentence, with the names of what it refers to. */
function ConditionText({ condition }: { condition: unknown }) {
  const nameOf = useNameOf(condition);
  return <bdi>“{describeCondition(condition, nameOf) || "no condition"}”</bdi>;
}

/** Shows a condition as a sentence. */
export function showCondition(condition: unknown) {
  return <ConditionText condition={condition} />;
}
