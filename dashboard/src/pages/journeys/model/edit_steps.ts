import type { Definition, Step, StepKind } from "../../../api/journey_definition.ts";
import { listReachable } from "./list_steps.ts";
import { fillSlot, listAllSlots, listSlots, mayEnd, readSlot, type Slot } from "./slots.ts";

/** A changed definition, and the step to look at next. */
export interface Edit {
  definition: Definition;
  step: string;
}

const endId = "end";

/** Inserts a new step of a kind into a way. The step that the way led to follows the new one. */
export function insertStep(definition: Definition, slot: Slot, kind: StepKind): Edit {
  const next = readSlot(definition, slot);
  const id = freeId(definition, kind.replace("_", "-"));
  const needsTarget = next === undefined && (kind === "branch" || kind === "split");
  const [base, target] = needsTarget ? withEnd(definition, [id]) : [definition, next];
  const steps = { ...base.steps, [id]: makeStep(kind, target) };
  return { definition: fillSlot({ ...base, steps }, slot, id), step: id };
}

/** Makes a step of a kind whose ways all lead to one step. Texts that are needed are empty. */
function makeStep(kind: StepKind, to: string | undefined): Step {
  const next = to === undefined ? {} : { next: to };
  switch (kind) {
    case "send":
      return { send: { template: "", sender: "" }, ...next };
    case "wait":
      return { wait: { for: "1d" }, ...next };
    case "wait_for":
      return { wait_for: { event: "", timeout: "3d" }, ...next };
    case "branch":
      return { branch: [{ when: { all: [] }, next: to ?? "" }], else: to ?? "" };
    case "split":
      return { split: [{ weight: 50, next: to ?? "" }, { weight: 50, next: to ?? "" }] };
    case "update":
      return { update: { attributes: {} }, ...next };
    case "webhook":
      return { webhook: { destination: "" }, ...next };
    case "exit":
      return { exit: {} };
  }
}

/** Returns the definition with an exit step, and its id: an existing exit, or a new one. */
function withEnd(definition: Definition, taken: readonly string[] = []): [Definition, string] {
  const exit = Object.entries(definition.steps).find(([, step]) => "exit" in step);
  if (exit !== undefined) return [definition, exit[0]];
  const id = freeId(definition, endId, taken);
  return [{ ...definition, steps: { ...definition.steps, [id]: { exit: {} } } }, id];
}

/** Returns an id that no step has: the wanted one, or one with a number behind it. */
export function freeId(
  { steps }: Definition,
  wanted: string,
  taken: readonly string[] = [],
): string {
  const isTaken = (id: string) => Object.hasOwn(steps, id) || taken.includes(id);
  if (!isTaken(wanted)) return wanted;
  const base = wanted.replace(/-\d+$/, "").slice(0, 56);
  let number = 2;
  while (isTaken(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** Deletes a step. Ways to it lead to the step after it, or end the run. */
export function deleteStep(definition: Definition, id: string): Definition {
  const step = definition.steps[id];
  if (step === undefined) return definition;
  const after = listSlots(id, step).map(({ to }) => to).find((to) => to !== undefined && to !== id);
  const { [id]: _, ...steps } = definition.steps;
  return pointTo({ ...definition, steps }, [id], after);
}

/** Deletes a step, and every step that only it leads to. */
export function deleteBranchOff(definition: Definition, id: string): Definition {
  const before = listReachable(definition);
  const { [id]: removed, ...rest } = definition.steps;
  if (removed === undefined) return definition;
  const cut = pointTo({ ...definition, steps: rest }, [id], undefined);
  const after = listReachable(cut);
  const kept = Object.entries(cut.steps).filter(([step]) => after.has(step) || !before.has(step));
  return { ...cut, steps: Object.fromEntries(kept) };
}

/** Lets all ways to some steps lead to another one; undefined ends the run. */
function pointTo(
  definition: Definition,
  from: readonly string[],
  to: string | undefined,
): Definition {
  const slots = listAllSlots(definition).filter((slot) => slot.to && from.includes(slot.to));
  return slots.reduce((changed, slot) => {
    if (to !== undefined || mayEnd(slot)) return fillSlot(changed, slot, to);
    if (slot.way === "timeout" || slot.way === "missing") return fillSlot(changed, slot, undefined);
    const [withExit, end] = withEnd(changed);
    return fillSlot(withExit, slot, end);
  }, definition);
}

/** Renames a step and every way that leads to it. */
export function renameStep(definition: Definition, id: string, to: string): Definition {
  if (id === to || !Object.hasOwn(definition.steps, id)) return definition;
  const steps = Object.entries(definition.steps).map(([name, step]) =>
    [name === id ? to : name, step] as const
  );
  return pointTo({ ...definition, steps: Object.fromEntries(steps) }, [id], to);
}

/** Replaces one step. */
export function replaceStep(definition: Definition, id: string, step: Step): Definition {
  return { ...definition, steps: { ...definition.steps, [id]: step } };
}

/** Adds a way to a branch or a split. It leads where the last one does. */
export function addWay(step: Step): Step {
  if ("branch" in step) {
    return { ...step, branch: [...step.branch, { when: { all: [] }, next: step.else }] };
  }
  if (!("split" in step)) return step;
  const last = step.split.at(-1);
  return { split: [...step.split, { weight: last?.weight ?? 50, next: last?.next ?? "" }] };
}

/** Removes a way from a branch or a split. */
export function removeWay(step: Step, index: number): Step {
  if ("branch" in step) return { ...step, branch: step.branch.filter((_, n) => n !== index) };
  if ("split" in step) return { split: step.split.filter((_, n) => n !== index) };
  return step;
}
