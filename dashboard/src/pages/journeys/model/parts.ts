import type { Slot } from "./slots.ts";

/** The part with the trigger and the rules of entry. No id of a step begins with "@". */
export const entryPart = "@entry";
/** The part with the goal and the exits. */
export const endsPart = "@ends";

/** Names the edge of a way. */
export function edgeId({ step, way }: Slot): string {
  return `${step ?? entryPart} ${way}`;
}
