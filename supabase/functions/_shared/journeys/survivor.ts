import type { Definition } from "./definition.ts";
import { listWays } from "./ways.ts";

/**
 * Finds the step at which a run continues when it moves to another version: the same step, else the
 * nearest later step of the old version that the new version has too. Undefined: the run ends.
 */
export function findSurvivor(
  old: Definition,
  current: Definition,
  step: string,
): string | undefined {
  const reached = new Set([step]);
  for (const name of reached) {
    if (Object.hasOwn(current.steps, name)) return name;
    const passed = old.steps[name];
    for (const { to } of passed === undefined ? [] : listWays(passed).ways) reached.add(to);
  }
  return undefined;
}
