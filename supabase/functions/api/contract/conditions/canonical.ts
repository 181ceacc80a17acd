import { readDuration } from "./durations.ts";
import type { Condition, CountBounds, EventCondition, Leaf, PropertyTest } from "./types.ts";

/** Returns a condition with every leaf replaced by `replace(leaf)`. */
export function mapLeaves(condition: Condition, replace: (leaf: Leaf) => Condition): Condition {
  if ("all" in condition) return { all: condition.all.map((item) => mapLeaves(item, replace)) };
  if ("any" in condition) return { any: condition.any.map((item) => mapLeaves(item, replace)) };
  if ("not" in condition) return { not: mapLeaves(condition.not, replace) };
  return replace(condition);
}

/** Lists the leaves of a condition, in the order in which they are written. */
export function listLeaves(condition: Condition): Leaf[] {
  if ("all" in condition) return condition.all.flatMap(listLeaves);
  if ("any" in condition) return condition.any.flatMap(listLeaves);
  return "not" in condition ? listLeaves(condition.not) : [condition];
}

/**
 * Returns the canonical form of a condition: two conditions with the same leaves have the same
 * form, however they are written. Defaults are written out, durations are in seconds, values and
 * tests are sorted.
 */
export function canonicalize(condition: Condition): Condition {
  return mapLeaves(condition, canonicalizeLeaf);
}

function canonicalizeLeaf(leaf: Leaf): Leaf {
  if ("event" in leaf) return canonicalizeEvent(leaf);
  if ("field" in leaf || "property" in leaf) return canonicalizeTest(leaf);
  return leaf;
}

function canonicalizeTest<Test extends { op: string; value?: unknown }>(test: Test): Test {
  if (Array.isArray(test.value)) {
    const texts = new Set(test.value.map((value) => JSON.stringify(value)));
    return { ...test, value: [...texts].sort().map((text) => JSON.parse(text)) };
  }
  const isDuration = test.op.includes("within");
  return isDuration ? { ...test, value: inSeconds(test.value as string) } : test;
}

function canonicalizeEvent({ where = [], within, count, ...rest }: EventCondition): EventCondition {
  const { sum, min, max } = rest;
  const isCounted = (sum ?? min ?? max) === undefined;
  return {
    ...rest,
    where: sortTests(where),
    ...(within === undefined ? {} : { within: inSeconds(within) }),
    ...(isCounted ? { count: canonicalizeCount(count ?? { gte: 1 }) } : {}),
  };
}

function canonicalizeCount({ gte, lte, eq }: CountBounds): CountBounds {
  const least = eq ?? gte ?? 0;
  const most = eq ?? lte;
  if (most === least) return { eq: most };
  return { ...(least > 0 ? { gte: least } : {}), ...(most === undefined ? {} : { lte: most }) };
}

function sortTests(tests: readonly PropertyTest[]): PropertyTest[] {
  const texts = tests.map(({ property, ...test }) => {
    const { op, value } = canonicalizeTest(test);
    return JSON.stringify({ property, op, value });
  });
  return [...new Set(texts)].sort().map((text) => JSON.parse(text));
}

function inSeconds(duration: string): string {
  return `${readDuration(duration)}s`;
}
