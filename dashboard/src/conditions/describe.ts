import type { Operator } from "../api/condition_rules.ts";
import { describeDuration } from "../format/duration.ts";
import { type Draft, isDraft, isNegation, readGroup } from "./draft.ts";

/** Operators as they read in a sentence: "country is DE". */
export const operatorLabels: Readonly<Record<Operator, string>> = {
  eq: "is",
  neq: "is not",
  in: "is one of",
  not_in: "is not one of",
  exists: "has a value",
  not_exists: "has no value",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  before: "is before",
  after: "is after",
  within_last: "is within the last",
  not_within_last: "is not within the last",
  within_next: "is within the next",
  anniversary_today: "has its anniversary today",
};

export const boundLabels: Readonly<Record<string, string>> = {
  gte: "at least",
  gt: "more than",
  lte: "at most",
  lt: "less than",
  eq: "exactly",
};

export const figureLabels: Readonly<Record<string, string>> = {
  sum: "Sum",
  min: "Smallest",
  max: "Largest",
};

/** Kind of a resource that a condition refers to. */
export type ReferenceKind = "segment" | "topic" | "journey";

/** Returns the name of a resource by its ID or key. */
export type NameOf = (kind: ReferenceKind, idOrKey: string) => string;

const asWritten: NameOf = (_, idOrKey) => idOrKey;

/** Describes a condition as a sentence: "country is DE, and did order in the last 30 days". */
export function describeCondition(draft: unknown, nameOf: NameOf = asWritten): string {
  if (!isDraft(draft)) return "";
  const group = readGroup(draft);
  if (group) {
    const parts = group.items.map((item) => {
      const text = describeCondition(item, nameOf);
      return (isDraft(item) && readGroup(item)) ? `(${text})` : text;
    });
    return parts.join(group.kind === "all" ? ", and " : ", or ");
  }
  if (isNegation(draft)) return `not (${describeCondition(draft.not, nameOf)})`;
  return describeLeaf(draft, nameOf);
}

function describeLeaf(leaf: Draft, nameOf: NameOf): string {
  if ("event" in leaf) return describeEvent(leaf);
  if ("field" in leaf) return `${shortField(String(leaf.field))} ${describeTest(leaf)}`;
  if ("property" in leaf) return `${leaf.property} ${describeTest(leaf)}`;
  if ("segment" in leaf) return `in segment ${nameOf("segment", String(leaf.segment))}`;
  if ("topic" in leaf) {
    const verb = leaf.subscribed === false ? "not subscribed to" : "subscribed to";
    return `${verb} ${nameOf("topic", String(leaf.topic))}`;
  }
  if ("journey" in leaf) {
    const name = nameOf("journey", String(leaf.journey));
    if (leaf.state === "completed") return `completed journey ${name}`;
    return leaf.state === "ever" ? `ever entered journey ${name}` : `in journey ${name}`;
  }
  if ("bucket" in leaf) return `in ${leaf.from}% to ${leaf.to}% of ${leaf.bucket}`;
  return JSON.stringify(leaf);
}

/** Removes the part of a field's name that every attribute has. */
function shortField(field: string): string {
  return field.replace(/^attributes\./, "");
}

function describeTest({ op, value }: Draft): string {
  const label = operatorLabels[op as Operator] ?? String(op);
  if (value === undefined) return label;
  const isDuration = String(op).includes("within");
  return `${label} ${isDuration ? describeDuration(String(value)) : describeValue(value)}`;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(", ");
  return value === "" ? "empty" : String(value);
}

function describeEvent(leaf: Draft): string {
  return [
    describeMeasure(leaf),
    leaf.within === undefined ? "" : `in the last ${describeDuration(String(leaf.within))}`,
    describeSpan(leaf),
    describeWhere(leaf.where),
  ].filter(Boolean).join(" ");
}

function describeSpan({ since, until }: Draft): string {
  const [first, last] = [since, until].map((time) => String(time).slice(0, 10));
  if (since !== undefined && until !== undefined) return `between ${first} and ${last}`;
  if (since !== undefined) return `since ${first}`;
  return until === undefined ? "" : `until ${last}`;
}

function describeMeasure(leaf: Draft): string {
  const figure = Object.keys(figureLabels).find((name) => isDraft(leaf[name]));
  if (figure) {
    const { property, ...bounds } = leaf[figure] as Draft;
    const label = figureLabels[figure]?.toLowerCase();
    return `${label} of ${property} of ${leaf.event} is ${describeBounds(bounds)}`;
  }
  const count = isDraft(leaf.count) ? leaf.count : undefined;
  if (leaf.event === "") return "";
  if (count === undefined) return `did ${leaf.event}`;
  if (count.eq === 0) return `no ${leaf.event}`;
  const isOnce = Object.values(count).at(-1) === 1;
  return `did ${leaf.event} ${describeBounds(count)} ${isOnce ? "time" : "times"}`;
}

function describeBounds(bounds: Draft): string {
  return Object.entries(bounds).map(([name, value]) => `${boundLabels[name] ?? name} ${value}`)
    .join(" and ");
}

function describeWhere(where: unknown): string {
  if (!Array.isArray(where) || where.length === 0) return "";
  return `where ${where.map((test) => describeLeaf(test, asWritten)).join(" and ")}`;
}
