import { figures } from "../api/condition_rules.ts";
import { type Draft, isDraft } from "./draft.ts";

/** Measure of the events: "happened" and "never" are counts. */
export type Measure = "happened" | "never" | "count" | (typeof figures)[number];

/** Returns what a condition on events measures. */
export function measureOf(draft: Draft): Measure {
  const figure = figures.find((name) => draft[name] !== undefined);
  if (figure) return figure;
  if (!isDraft(draft.count)) return "happened";
  return draft.count.eq === 0 && Object.keys(draft.count).length === 1 ? "never" : "count";
}

/** Changes what is measured. A figure keeps its property. */
export function changeMeasure(draft: Draft, measure: string): Draft {
  const figure = figures.find((name) => isDraft(draft[name]));
  const { count: _, sum, min, max, ...rest } = draft;
  const property = ([sum, min, max].find(isDraft) ?? { property: "" }).property;
  switch (measure) {
    case "never":
      return { ...rest, count: { eq: 0 } };
    case "count":
      return { ...rest, count: { gte: 2 } };
    case "sum":
    case "min":
    case "max": {
      const bounds = figure ? draft[figure] as Draft : { gte: undefined };
      return { ...rest, [measure]: { ...bounds, property } };
    }
    default:
      return rest;
  }
}

/** Returns how a condition on events limits their time. */
export function spanOf(draft: Draft): "all" | "within" | "fixed" {
  if (draft.within !== undefined) return "within";
  return draft.since !== undefined || draft.until !== undefined ? "fixed" : "all";
}

/** Changes how the time of the events is limited. */
export function changeSpan(draft: Draft, span: string): Draft {
  const { within: _, since: __, until: ___, ...rest } = draft;
  if (span === "within") return { ...rest, within: "30d" };
  if (span === "fixed") return { ...rest, since: startOfDay(new Date()) };
  return rest;
}

function startOfDay(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}
