/** Parts that differ in the errors of one reason, and the text that stands for each. */
const reasonParts: readonly { pattern: RegExp; text: string }[] = [
  // Alone in its body, or in a bulk.
  { pattern: /^(?:Body|Field "(?:events|batch)\[\d+\]") /, text: "Entry " },
  // The place of an entry in a bulk.
  { pattern: /"(?:events|batch)\[\d+\]\.?/g, text: '"' },
  // The id that no customer has.
  { pattern: /(no customer has the \w+ )".*"$/s, text: '$1"…"' },
];

/** Longest reason by which entries can be filtered. */
export const maxReasonLength = 2000;

/** Returns the reason of an error: what it has in common with the errors of other entries. */
export function readReason(error: string): string {
  return reasonParts.reduce((rest, { pattern, text }) => rest.replace(pattern, text), error);
}
