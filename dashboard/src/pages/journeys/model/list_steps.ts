import type { Definition } from "../../../api/journey_definition.ts";
import { listSlots } from "./slots.ts";

/** Lists the steps that can be reached, in the order in which a customer comes to them. */
export function listReachable({ start, steps }: Definition): Set<string> {
  const names = new Set(Object.hasOwn(steps, start) ? [start] : []);
  for (const name of names) {
    for (const { to } of listSlots(name, steps[name]!)) {
      if (to !== undefined && Object.hasOwn(steps, to)) names.add(to);
    }
  }
  return names;
}

/** Lists all steps: those that can be reached in their order, and then the others. */
export function listInOrder(definition: Definition): string[] {
  return [...new Set([...listReachable(definition), ...Object.keys(definition.steps)])];
}
