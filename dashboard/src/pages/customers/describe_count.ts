import { formatWhole } from "../../format/numbers.ts";

interface Counted {
  count: number;
  isExact: boolean;
  /** True for the customers of a search or a filter. */
  isNarrowed: boolean;
  /** True if a number that is not exact is an estimate, false if there are more. */
  isEstimated: boolean;
}

/** Says how many customers there are: "1 customer", "10,000+ customers match". */
export function describeCount({ count, isExact, isNarrowed, isEstimated }: Counted): string {
  const number = formatWhole(count);
  const shown = isExact ? number : isEstimated ? `About ${number}` : `${number}+`;
  const noun = count === 1 && isExact ? "customer" : "customers";
  if (!isNarrowed) return `${shown} ${noun}`;
  return `${shown} ${noun} ${noun === "customer" ? "matches" : "match"}`;
}
