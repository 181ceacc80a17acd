import type { Definition, Step } from "../../../_shared/journeys/definition.ts";
import type { JsonFault } from "../../../_shared/json/json.ts";
import { type Part, partOf, Reader } from "../conditions/reader.ts";
import { isStepId, readOptional, readStepId, readWhen, stepRule } from "./read_parts.ts";
import { readStep } from "./read_step.ts";
import { readEntry, readExitOn, readGoal, readTrigger } from "./read_trigger.ts";
import { maxDefinitionBytes, maxSteps } from "./rules.ts";

export type ReadDefinition =
  | { ok: true; definition: Definition }
  | { ok: false; faults: readonly JsonFault[] };

const fields = ["trigger", "entry", "goal", "exit_when", "exit_on", "start", "steps"];
const encoder = new TextEncoder();

/**
 * Reads the definition of a journey: the form of each part, not how the parts fit together. Times
 * are converted to UTC and ids to lower case; everything else stays as written. Paths of faults are
 * relative to the definition.
 */
export function readDefinition(value: unknown): ReadDefinition {
  const reader = new Reader({});
  const definition = readParts(reader, { value, path: [] });
  if (definition !== undefined && reader.faults.length === 0) return { ok: true, definition };
  return { ok: false, faults: reader.faults };
}

function readParts(reader: Reader, part: Part): Definition | undefined {
  const given = reader.object(part, fields);
  if (given === undefined) return undefined;
  const bytes = encoder.encode(JSON.stringify(given)).byteLength;
  if (bytes > maxDefinitionBytes) {
    return reader.fail([], `must be at most ${maxDefinitionBytes} bytes of JSON`);
  }
  const { path } = part;
  const trigger = readTrigger(reader, partOf(given, path, "trigger"));
  return {
    trigger: trigger ?? { api: true },
    ...readOptional(given, path, ["entry", (part) => readEntry(reader, part, trigger)]),
    ...readOptional(given, path, ["goal", (part) => readGoal(reader, part)]),
    ...readOptional(given, path, [
      "exit_when",
      (part) => readWhen(reader, part, { allowsTrigger: true }),
    ]),
    ...readOptional(given, path, ["exit_on", (part) => readExitOn(reader, part)]),
    start: readStepId(reader, partOf(given, path, "start")) ?? "",
    steps: readSteps(reader, partOf(given, path, "steps")) ?? {},
  };
}

function readSteps(reader: Reader, part: Part): Record<string, Step> | undefined {
  const given = reader.record(part);
  if (given === undefined) return undefined;
  const names = Object.keys(given);
  if (names.length === 0 || names.length > maxSteps) {
    return reader.fail(part.path, `must have 1 to ${maxSteps} steps`);
  }
  const steps = names.flatMap((name) => {
    const step = partOf(given, part.path, name);
    if (!isStepId(name)) reader.fail(step.path, stepRule);
    const read = readStep(reader, step);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(steps);
}
