import type { Definition } from "../../../api/journey_definition.ts";

/** Returns whether a definition has a goal; true until it has loaded. */
export function mayHaveGoal(definition: Definition | undefined): boolean {
  return definition === undefined || definition.goal !== undefined;
}
