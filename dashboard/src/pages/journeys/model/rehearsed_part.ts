import type { Definition } from "../../../api/journey_definition.ts";
import type { Rehearsal } from "../../../api/types.ts";
import { describeOutcome } from "./describe_outcome.ts";
import { makeStepNamer } from "./describe_part.ts";
import { describeWay } from "./describe_step.ts";
import { countWay } from "./figures.ts";
import type { NameOf } from "./name_of.ts";
import { entryPart } from "./parts.ts";
import { type FilledSlot, listSlots } from "./slots.ts";

/** The figures of a rehearsal that are about one part. */
export interface RehearsedPart {
  came: number;
  /** Further figures, each with its label. */
  figures: readonly (readonly [label: string, count: number])[];
  ways: readonly RehearsedWay[];
  examples: readonly RehearsedExample[];
}

/** A way out of a part, and how many went it. */
export interface RehearsedWay {
  /** Empty for the only one. */
  label: string;
  /** Undefined for the end of the run. */
  to: string | undefined;
  count: number;
}

/** A customer who came to a part. */
export interface RehearsedExample {
  customerId: string;
  /** When they continued; null for those who are still there. */
  at: string | null;
  text: string;
}

/** Reads the figures and examples of the trigger or of a step. */
export function readRehearsedPart(part: string, result: Rehearsal, nameOf: NameOf): RehearsedPart {
  return part === entryPart ? readTrigger(result) : readStep(part, result, nameOf);
}

function readTrigger({ entered, holdout, not_entered, examples, ...result }: Rehearsal) {
  const passed = entered - holdout.entered;
  const { start } = result.definition as Definition;
  return {
    came: passed,
    figures: [...count("Held out", holdout.entered), ...countReasons("Not entered", not_entered)],
    ways: [{ label: "", to: start, count: passed }],
    examples: examples.map(({ customer_id, entered_at }) => ({
      customerId: customer_id,
      at: entered_at,
      text: "Entered",
    })),
  };
}

function readStep(id: string, result: Rehearsal, nameOf: NameOf): RehearsedPart {
  const step = (result.definition as Definition).steps[id];
  const counted = result.steps.find((row) => row.step === id);
  if (step === undefined || counted === undefined) {
    return { came: 0, figures: [], ways: [], examples: [] };
  }
  const slots = listSlots(id, step);
  const ways = slots.map(({ way, to }: FilledSlot) => ({
    label: describeWay(step, way, nameOf),
    to,
    count: countWay(counted, slots, way),
  }));
  const { came, waiting, reached_goal, sent, skipped } = counted;
  const went = ways.reduce((sum, way) => sum + way.count, waiting);
  return {
    came,
    figures: [
      ...count("Still here", waiting),
      ...count("Emails", sent),
      ...countReasons("Skipped", skipped),
      ...count("Reached the goal here", reached_goal),
      ...count(slots.length === 0 ? "Ended here" : "Left the journey here", came - went),
    ],
    ways,
    examples: listExamples(id, result, nameOf),
  };
}

function listExamples(
  id: string,
  { examples, ...result }: Rehearsal,
  nameOf: NameOf,
): RehearsedExample[] {
  const definition = result.definition as Definition;
  const nameStep = makeStepNamer({ definition, nameOf });
  return examples.flatMap(({ customer_id: customerId, path, state, step }) => {
    const visits = path.filter((visit) => visit.step === id)
      .map(({ at, kind, outcome }) => ({
        customerId,
        at,
        text: describeOutcome(outcome, { kind, nameStep }),
      }));
    const isHere = state === "active" && step === id;
    return isHere ? [...visits, { customerId, at: null, text: "Still here" }] : visits;
  });
}

function count(label: string, value: number): [string, number][] {
  return value > 0 ? [[label, value]] : [];
}

function countReasons(label: string, reasons: Readonly<Record<string, number>>) {
  return Object.entries(reasons).flatMap(([reason, value]) =>
    count(`${label}: ${reason.replaceAll("_", " ")}`, value)
  );
}
