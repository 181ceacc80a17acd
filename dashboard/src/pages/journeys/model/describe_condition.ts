import type { NameOf } from "./name_of.ts";

const operatorWords: Readonly<Record<string, string>> = {
  eq: "is",
  neq: "is not",
  in: "is one of",
  not_in: "is not one of",
  exists: "exists",
  not_exists: "is missing",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  gt: "is over",
  gte: "is at least",
  lt: "is under",
  lte: "is at most",
  before: "is before",
  after: "is after",
  within_last: "was in the last",
  not_within_last: "was not in the last",
  within_next: "is in the next",
  anniversary_today: "has its anniversary today",
};

type Given = Readonly<Record<string, unknown>>;

/** Describes a condition in a few words. It may be incomplete. */
export function describeCondition(condition: unknown, nameOf: NameOf): string {
  if (typeof condition !== "object" || condition === null) return "a condition";
  const given = condition as Given;
  for (const [kind, word] of [["all", "and"], ["any", "or"]] as const) {
    const items = given[kind];
    if (!Array.isArray(items)) continue;
    if (items.length === 0) return "no condition yet";
    return items.map((item) => describeInner(item, nameOf)).join(` ${word} `);
  }
  if ("not" in given) return `not: ${describeCondition(given.not, nameOf)}`;
  return describeLeaf(given, nameOf);
}

function describeInner(condition: unknown, nameOf: NameOf): string {
  const text = describeCondition(condition, nameOf);
  const isGroup = typeof condition === "object" && condition !== null &&
    ("all" in condition || "any" in condition);
  return isGroup ? `(${text})` : text;
}

function describeLeaf(given: Given, nameOf: NameOf): string {
  if ("field" in given) return describeTest(String(given.field), given);
  if ("property" in given) return describeTest(String(given.property), given);
  if ("event" in given) return describeEvent(given);
  if ("segment" in given) return `in segment ${nameOf("segment", given.segment)}`;
  if ("topic" in given) {
    const verb = given.subscribed === false ? "not subscribed to" : "subscribed to";
    return `${verb} ${nameOf("topic", given.topic)}`;
  }
  if ("journey" in given) return `${given.state} in journey ${nameOf("journey", given.journey)}`;
  if ("bucket" in given) return `in ${given.from}% to ${given.to}% of ${given.bucket}`;
  return "a condition";
}

/** Describes a test of one value: "plan is pro". */
export function describeTest(name: string, { op, value }: Given): string {
  const words = operatorWords[String(op)] ?? String(op);
  const short = name.replace(/^attributes\./, "");
  const compared = value === undefined ? "" : ` ${showValue(value)}`;
  return `${short} ${words}${compared}`;
}

function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(showValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function describeEvent(given: Given): string {
  const count = given.count as Given | undefined;
  const isNever = count?.eq === 0 || count?.lte === 0;
  const bounds = count === undefined || isNever
    ? ""
    : ` ${Object.entries(count).map(([op, n]) => `${countWords[op] ?? op} ${n}`).join(", ")} times`;
  const within = typeof given.within === "string" ? ` in ${given.within}` : "";
  return `${isNever ? "did not do" : "did"} ${given.event}${bounds}${within}`;
}

const countWords: Readonly<Record<string, string>> = {
  gte: "at least",
  lte: "at most",
  eq: "exactly",
};
