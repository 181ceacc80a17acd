import type { Definition, Step, WaitStep } from "../../../api/journey_definition.ts";

/** A place that names the next step: the start of a journey, or a way out of a step. */
export interface Slot {
  /** Step that the way leaves; null for the start. */
  step: string | null;
  /** Name of the way as in a run's log: "next", "timeout", "missing", "else", "0", "1", … */
  way: string;
}

/** A slot with the step that it names; without one, the run ends there. */
export interface FilledSlot extends Slot {
  to: string | undefined;
}

export const startSlot: Slot = { step: null, way: "start" };

/** Lists the slots of a step, in the order in which they are drawn. */
export function listSlots(id: string, step: Step): FilledSlot[] {
  const slot = (way: string, to: string | undefined) => ({ step: id, way, to: to || undefined });
  if ("exit" in step) return [];
  if ("branch" in step) {
    return [...step.branch.map(({ next }, n) => slot(`${n}`, next)), slot("else", step.else)];
  }
  if ("split" in step) return step.split.map(({ next }, n) => slot(`${n}`, next));
  const slots = [slot("next", step.next)];
  if ("wait_for" in step && step.on_timeout !== undefined) {
    slots.push(slot("timeout", step.on_timeout));
  }
  if ("wait" in step && "on_missing" in step.wait && step.wait.on_missing !== undefined) {
    slots.push(slot("missing", step.wait.on_missing));
  }
  return slots;
}

/** Lists every slot of a definition, the start first. */
export function listAllSlots(definition: Definition): FilledSlot[] {
  const start = { ...startSlot, to: definition.start || undefined };
  const others = Object.entries(definition.steps).flatMap(([id, step]) => listSlots(id, step));
  return [start, ...others];
}

/** Returns the step that a slot names, or undefined for the end of the run. */
export function readSlot(definition: Definition, { step, way }: Slot): string | undefined {
  if (step === null) return definition.start || undefined;
  const found = definition.steps[step];
  return found && listSlots(step, found).find((slot) => slot.way === way)?.to;
}

/** Checks whether a run can end at a slot. The others must name a step. */
export function mayEnd({ way }: Slot): boolean {
  return way === "next";
}

/** Copies a definition with another step in a slot. */
export function fillSlot(
  definition: Definition,
  { step, way }: Slot,
  to: string | undefined,
): Definition {
  if (step === null) return { ...definition, start: to ?? "" };
  const found = definition.steps[step];
  if (found === undefined) return definition;
  return { ...definition, steps: { ...definition.steps, [step]: fillWay(found, way, to) } };
}

type DateWait = Extract<WaitStep["wait"], { on_missing?: string }>;

/** Copies a step with another target of one way. */
export function fillWay(step: Step, way: string, to: string | undefined): Step {
  const next = to ?? "";
  if ("branch" in step) {
    if (way === "else") return { ...step, else: next };
    const branch = step.branch.map((each, n) => `${n}` === way ? { ...each, next } : each);
    return { ...step, branch };
  }
  if ("split" in step) {
    return { split: step.split.map((each, n) => `${n}` === way ? { ...each, next } : each) };
  }
  if ("exit" in step) return step;
  if ("wait_for" in step && way === "timeout") return setOrRemove(step, "on_timeout", to);
  if ("wait" in step && way === "missing") {
    const { wait } = step;
    if (!("until" in wait)) return step;
    return { ...step, wait: setOrRemove(wait as DateWait, "on_missing", to) };
  }
  return setOrRemove(step, "next", to);
}

/** Copies an object with a field, or without it if the value is undefined. */
export function setOrRemove<Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
  to: Value[Name] | undefined,
): Value {
  const copy = { ...value };
  if (to === undefined) delete copy[name];
  else copy[name] = to;
  return copy;
}
