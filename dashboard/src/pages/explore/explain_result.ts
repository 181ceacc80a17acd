import { formatShort } from "../../format/time.ts";
import { describeEvent, nameLength } from "./describe_question.ts";
import { countReached, type Result } from "./pictures.ts";
import type { Question } from "./question.ts";

/**
 * Explains what a result counts, from when to when, and in which zone.
 * @param usualZone the zone of the range if the result has no intervals
 */
export function explainResult(
  { kind, body }: Question,
  result: Result,
  usualZone: string,
): string {
  const zone = "zone" in result ? result.zone : usualZone;
  const since = formatShort(findStart(result) ?? body.since, zone);
  const range = `from ${since} to ${formatShort(body.until, zone)} (${zone})`;
  switch (kind) {
    case "counts": {
      const { measure, interval = "day" } = body;
      const ranges = hasRanges(result)
        ? " Each range of numbers includes its first number, but not its last."
        : "";
      if (measure !== "customers") return `Counts events that happened ${range}.${ranges}`;
      return `Counts customers with an event ${range}: each once per ${interval}, and once in total.${ranges}`;
    }
    case "funnel": {
      const within = nameLength(body.within);
      return `Counts customers who did step 1 ${range}, even if they had done it before. Later steps count within ${within} of step 1, even after the range.`;
    }
    case "retention": {
      const { start, interval = "week", periods = 8 } = body;
      const cohorts = "cohorts" in result ? result.cohorts : [];
      const leftOut = [
        ...cohorts[0]?.customers === 0 ? [`${interval}s before the first customer`] : [],
        ...countReached(cohorts) <= periods ? [`${interval}s that lie ahead`] : [],
      ];
      return `Counts customers whose first ${
        describeEvent(start)
      } ever was ${range}, by ${interval}. Later ${interval}s count even after the range.${
        leftOut.length > 0 ? ` The ${leftOut.join(" and ")} are left out.` : ""
      }`;
    }
    case "paths": {
      const within = nameLength(body.within);
      return `Follows customers for ${within} after their first ${
        describeEvent(body.start)
      } ${range}, even after the range. Repeats of an event in a row count as one.`;
    }
  }
}

function hasRanges(result: Result): boolean {
  return "series" in result && result.series.some(({ kind }) => kind === "range");
}

/** With intervals, the range starts at the beginning of the first one. */
function findStart(result: Result): string | undefined {
  if ("cohorts" in result) return result.cohorts[0]?.at;
  return "series" in result ? result.starts[0] : undefined;
}
