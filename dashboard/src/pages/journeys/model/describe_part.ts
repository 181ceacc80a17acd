import type { Definition } from "../../../api/journey_definition.ts";
import { describeStep, describeTrigger, kindLabels, kindOf } from "./describe_step.ts";
import type { NameOf } from "./name_of.ts";
import { endsPart, entryPart } from "./parts.ts";

/** A definition with the names of what it refers to. */
export interface Described {
  /** Undefined until it has loaded. */
  definition: Definition | undefined;
  nameOf: NameOf;
}

/** Describes a part in a few words; undefined for one that does not exist. */
export function describePart(
  part: string,
  { definition, nameOf }: Described,
): string | undefined {
  if (part === endsPart) return "Goal and exits";
  if (definition === undefined) return undefined;
  if (part === entryPart) return `Trigger: ${describeTrigger(definition.trigger, nameOf)}`;
  const step = definition.steps[part];
  return step && `${kindLabels[kindOf(step)]}: ${describeStep(step, nameOf)}`;
}

/** Makes a function that names steps as the canvas does; unknown ones keep their key. */
export function makeStepNamer(described: Described): (step: string) => string {
  return (step) => describePart(step, described) ?? step;
}
