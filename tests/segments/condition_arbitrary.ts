import fc from "fast-check";
import type { Condition } from "./condition_model.ts";

/** Names of events that random worlds use. */
export const eventNames = ["order_completed", "viewed", "email_opened"];
/** Windows that random conditions use, short enough for worlds of a few weeks. */
const spans = ["30s", "15m", "90m", "36h", "3d", "7d", "2w", "30d"];
const attributes = ["plan", "score", "tags", "renews_at", "born", "address.city"];
const texts = ["pro", "Pro", "free", "5", "", "o", "Berlin"];
const instants = ["2026-11-01", "2026-11-22T10:00:00Z", "2026-12-01T00:00:00+02:00"];

const value = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(5, 0, -1, 12.5, 100),
  fc.boolean(),
);
const operator = fc.oneof(
  fc.record({ op: fc.constantFrom("eq", "neq"), value }),
  fc.record({ op: fc.constantFrom("in", "not_in"), value: fc.array(value, { maxLength: 4 }) }),
  fc.record({ op: fc.constantFrom("exists", "not_exists") }),
  fc.record({
    op: fc.constantFrom("contains", "not_contains", "starts_with", "ends_with"),
    value: fc.constantFrom(...texts),
  }),
  fc.record({
    op: fc.constantFrom("gt", "gte", "lt", "lte"),
    value: fc.constantFrom(0, 5, 12.5, 100),
  }),
  fc.record({ op: fc.constantFrom("before", "after"), value: fc.constantFrom(...instants) }),
);
const relative = fc.record({
  op: fc.constantFrom("within_last", "not_within_last", "within_next"),
  value: fc.constantFrom(...spans),
});
const field = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      "email",
      "country",
      "first_name",
      "external_id",
      "is_identified",
      ...attributes.map((name) => `attributes.${name}`),
    ),
    operator,
  ),
  fc.tuple(
    fc.constantFrom("created_at", "last_seen_at", "attributes.renews_at", "attributes.born"),
    relative,
  ),
  fc.tuple(
    fc.constantFrom("attributes.born", "attributes.renews_at"),
    fc.constant({ op: "anniversary_today" }),
  ),
).map(([name, rest]): Condition => ({ field: name, ...rest }));

const count = fc.oneof(
  fc.record({ gte: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ lte: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ eq: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ gte: fc.integer({ min: 0, max: 2 }), lte: fc.integer({ min: 1, max: 4 }) }),
).map((limits) => ({ count: limits }));
const total = fc.tuple(
  fc.constantFrom("sum", "min", "max"),
  fc.constantFrom("gte", "gt", "lte", "lt", "eq"),
  fc.constantFrom(0, 5, 12.5, 100),
).map(([kind, op, limit]) => ({ [kind]: { property: "total", [op]: limit } }));
const span = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...spans).map((within) => ({ within })),
  fc.constantFrom(
    { since: "2026-11-10T00:00:00Z" },
    { until: "2026-11-18T00:00:00Z" },
    { since: "2026-11-05T12:00:00Z", until: "2026-11-20T00:00:00Z" },
  ),
);
const where = fc.array(
  fc.tuple(fc.constantFrom("total", "category", "automated", "a.b"), operator)
    .map(([property, rest]) => ({ property, ...rest })),
  { maxLength: 2 },
).map((conditions) => conditions.length > 0 ? { where: conditions } : {});
const event = fc.tuple(
  fc.constantFrom(...eventNames),
  span,
  fc.oneof(fc.constant({}), count, total),
  where,
).map(([name, ...rest]): Condition => Object.assign({ event: name }, ...rest));
const bucket = fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 60 })).map((
  [salt, from],
): Condition => ({ bucket: salt, from, to: from + 40 }));

/** Random conditions; `segments` are ids that they may name. */
export function createConditionArbitrary(segments: string[] = []): fc.Arbitrary<Condition> {
  const leaf = fc.oneof(
    { weight: 5, arbitrary: event },
    { weight: 4, arbitrary: field },
    { weight: 1, arbitrary: bucket },
    ...(segments.length > 0
      ? [{
        weight: 2,
        arbitrary: fc.constantFrom(...segments).map((segment): Condition => ({ segment })),
      }]
      : []),
  );
  return createTree(leaf);
}

/** Random conditions about events alone. */
export function createEventConditionArbitrary(): fc.Arbitrary<Condition> {
  return createTree(event);
}

function createTree(leaf: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.letrec<{ node: Condition }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      {
        weight: 2,
        arbitrary: fc.tuple(
          fc.constantFrom("all", "any"),
          fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
        ).map(([kind, nodes]): Condition => ({ [kind]: nodes })),
      },
      { weight: 1, arbitrary: tie("node").map((not): Condition => ({ not })) },
    ),
  })).node;
}
