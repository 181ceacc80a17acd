import type { CallerSql } from "../../kernel/caller.ts";
import {
  type ExpectedProperty,
  findCataloguedEvent,
  listEventDays,
  listSeenProperties,
  type PropertyType,
  readSamples,
  type SeenProperty,
} from "./catalogue_queries.ts";

/** A property of an event name: as it was seen, and as people expect it. */
export interface CataloguedProperty {
  property: string;
  description: string | null;
  types: { type: PropertyType; share: number }[];
  share: number;
  example: unknown;
  expected_type: PropertyType | null;
  is_required: boolean;
  unexpected: "property" | "type" | null;
  first_seen_at: string | null;
  last_seen_at: string | null;
}

/** Returns everything about one event name; undefined without such events. */
export async function describeEvent(tx: CallerSql, key: { workspaceId: string; name: string }) {
  const found = await findCataloguedEvent(tx, key);
  if (found === undefined) return undefined;
  const { expected, ...event } = found;
  const seen = await listSeenProperties(tx, key);
  const samples = await readSamples(tx, key);
  return {
    ...event,
    ...samples,
    has_expectations: expected !== null,
    expected_properties: expected,
    property_list: combineProperties(seen, expected ?? [], samples.sampled_events),
    days: await listEventDays(tx, key),
  };
}

/** Combines the seen properties with the expected ones; those that were never seen come last. */
export function combineProperties(
  seen: readonly SeenProperty[],
  expected: readonly ExpectedProperty[],
  sampled: number,
): CataloguedProperty[] {
  const rules = new Map(expected.map((rule) => [rule.property, rule]));
  const known = new Set(seen.map(({ property }) => property));
  const unseen = expected.filter(({ property }) => !known.has(property));
  return [
    ...seen.map((row) => ({
      ...describeSeen(row, sampled),
      ...describeRule(rules.get(row.property)),
    })),
    ...unseen.map((rule) => ({
      property: rule.property,
      types: [],
      share: 0,
      example: null,
      unexpected: null,
      first_seen_at: null,
      last_seen_at: null,
      ...describeRule(rule),
    })),
  ];
}

function describeSeen({ by_type, ...row }: SeenProperty, sampled: number) {
  const total = Object.values(by_type).reduce((sum, count) => sum + count, 0);
  const types = Object.entries(by_type)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => ({ type: type as PropertyType, share: count / total }))
    .sort((a, b) => b.share - a.share);
  // A sample that is halved rounds down.
  return { ...row, types, share: sampled === 0 ? 0 : Math.min(1, total / sampled) };
}

function describeRule(rule: ExpectedProperty | undefined) {
  return {
    description: rule?.description ?? null,
    expected_type: rule?.type ?? null,
    is_required: rule?.is_required ?? false,
  };
}
