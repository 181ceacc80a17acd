import type { Definition, Step } from "../../../api/journey_definition.ts";
import { type Edit, freeId } from "./edit_steps.ts";
import { listInOrder } from "./list_steps.ts";
import { fillSlot, fillWay, listSlots, readSlot, type Slot } from "./slots.ts";

/** Copied steps, in the order in which a customer comes to them. */
interface CopiedSteps {
  signalpost_steps: readonly (readonly [id: string, step: Step])[];
}

/** Writes steps as text for the clipboard. */
export function copySteps(definition: Definition, ids: readonly string[]): string {
  const steps = listInOrder(definition).filter((id) => ids.includes(id))
    .map((id) => [id, definition.steps[id]!] as const);
  return JSON.stringify({ signalpost_steps: steps } satisfies CopiedSteps);
}

/** Reads copied steps; undefined for any other text. */
function readCopied(text: string): CopiedSteps["signalpost_steps"] | undefined {
  try {
    const { signalpost_steps: steps } = JSON.parse(text);
    const isPair = (item: unknown) =>
      Array.isArray(item) && typeof item[0] === "string" && typeof item[1] === "object" &&
      item[1] !== null;
    return Array.isArray(steps) && steps.length > 0 && steps.every(isPair) ? steps : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Inserts copied steps into a way. Ways between them stay; ways that left them lead to the step
 * that the way led to. Returns undefined for a text that holds no steps.
 */
export function pasteSteps(definition: Definition, slot: Slot, text: string): Edit | undefined {
  const copied = readCopied(text);
  if (copied === undefined) return undefined;
  const next = readSlot(definition, slot);
  const ids = new Map<string, string>();
  for (const [id] of copied) ids.set(id, freeId(definition, id, [...ids.values()]));
  const pasted = copied.map(([id, step]) => {
    const moved = listSlots(id, step).reduce(
      (changed, { way, to }) =>
        fillWay(changed, way, to !== undefined && ids.has(to) ? ids.get(to) : next),
      step,
    );
    return [ids.get(id)!, moved] as const;
  });
  const steps = { ...definition.steps, ...Object.fromEntries(pasted) };
  const first = pasted[0]![0];
  return { definition: fillSlot({ ...definition, steps }, slot, first), step: first };
}
