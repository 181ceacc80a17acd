import assert from "node:assert/strict";
import { readCondition } from "../../supabase/functions/api/contract/conditions/read_condition.ts";
import {
  assertAccepted,
  createLeaves,
  faultOf,
  faultsOf,
  fixedRange,
  leaf,
  sampleConditions,
  totalBounds,
} from "../../testing/data/conditions.ts";

/** A condition with so many levels; the leaf is the last. */
function nest(levels: number, inner: unknown = leaf): unknown {
  return levels <= 1 ? inner : nest(levels - 1, { all: [inner] });
}

Deno.test("readCondition() accepts every kind of condition", () => {
  assertAccepted(...sampleConditions);
});

Deno.test("readCondition() keeps what is written, and converts times to UTC and ids to lower case", () => {
  const read = (value: unknown) => {
    const result = readCondition(value);
    assert(result.ok, JSON.stringify(result));
    return result.condition;
  };
  const written = { not: { any: [{ ...leaf, within: "7d", count: { eq: 0 } }] } };
  assert.deepEqual(read(written), written);
  assert.deepEqual(read({ ...leaf, ...fixedRange }), {
    ...leaf,
    since: "2026-01-01T00:00:00.000Z",
    until: "2026-01-31T23:00:00.000Z",
  });
  assert.deepEqual(read({ segment: "0192F3C4-7A10-7CC3-8F4E-1B2A3C4D5E6F" }), {
    segment: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f",
  });
  assert.deepEqual(read({ segment: "VIP" }), { segment: "VIP" });
  assert.deepEqual(read({ field: "country", op: "eq", value: "de" }), {
    field: "country",
    op: "eq",
    value: "DE",
  });
});

Deno.test("a condition names exactly one kind", () => {
  const names = '"all", "any", "not", "field", "event", "segment", "topic", "journey", "bucket"';
  assert.equal(faultOf({}), `condition: must have one of ${names}`);
  assert.equal(
    faultOf({ all: [leaf], any: [leaf] }),
    'condition.any: must not be combined with "all"',
  );
  assert.equal(
    faultOf({ ...leaf, segment: "vip" }),
    'condition.segment: must not be combined with "event"',
  );
  assert.equal(faultOf([]), "condition: must be an object");
  assert.equal(faultOf(null), "condition: must be an object");
  assert.equal(faultOf(undefined), "condition: is required");
  assert.equal(faultOf({ all: [null] }), "condition.all[0]: must be an object");
  assert.equal(faultOf({ not: undefined }), "condition.not: is required");
});

Deno.test("the message of a fault names its path", () => {
  const value = { all: [leaf, leaf, { ...leaf, within: "soon" }] };
  assert.equal(
    faultOf(value),
    'condition.all[2].within: must be a duration such as "7d", up to 400d',
  );
  const two = { any: [{ ...leaf, within: "0d" }, { not: { field: "plan", op: "exists" } }] };
  const [first, second] = faultsOf(two);
  assert.match(first!, /^condition\.any\[0\]\.within: /);
  assert.match(
    second!,
    /^condition\.any\[1\]\.not\.field: must be one of "email", .* or "attributes\.<path>"$/,
  );
});

Deno.test("unknown fields of each kind are named", () => {
  const unknown = "is unknown: check its spelling";
  for (const sample of sampleConditions) {
    assert.equal(
      faultOf({ ...sample, extra: 1 }),
      `condition.extra: ${unknown}`,
      JSON.stringify(sample),
    );
  }
  assert.equal(
    faultOf({ ...leaf, where: [{ property: "total", op: "exists", cast: "number" }] }),
    `condition.where[0].cast: ${unknown}`,
  );
  assert.equal(faultOf({ ...leaf, count: { gt: 1 } }), `condition.count.gt: ${unknown}`);
  assert.equal(
    faultOf({ ...leaf, sum: { ...totalBounds, neq: 1 } }),
    `condition.sum.neq: ${unknown}`,
  );
});

Deno.test("a condition has at most 100 leaves, however they are nested", () => {
  assertAccepted({ all: createLeaves(100) }, {
    any: [{ all: createLeaves(50) }, { not: { any: createLeaves(50) } }],
  });
  const over = "condition: must have at most 100 leaves";
  assert.equal(
    faultOf({ any: [{ all: createLeaves(50) }, { not: { any: createLeaves(51) } }] }),
    over,
  );
  assert.equal(
    faultOf({ all: createLeaves(101) }),
    "condition.all: must be a list of 1 to 100 conditions",
  );
  assert.equal(faultOf({ all: [] }), "condition.all: must be a list of 1 to 100 conditions");
});

Deno.test("a condition has at most 8 levels", () => {
  assertAccepted(nest(8), { not: nest(7) });
  const path = `condition${".all[0]".repeat(8)}`;
  assert.equal(faultOf(nest(9)), `${path}: must not be deeper than 8 levels`);
  assert.equal(
    faultOf({ not: nest(8) }),
    `condition.not${".all[0]".repeat(7)}: must not be deeper than 8 levels`,
  );
});

Deno.test("a condition of any size is refused within a moment, and with few faults", () => {
  let deep: unknown = leaf;
  for (let level = 0; level < 5000; level++) deep = { not: deep };
  assert.match(faultOf(deep)!, /deeper than 8 levels$/);
  const wide = { all: Array.from({ length: 100 }, () => ({ all: createLeaves(100) })) };
  assert.equal(faultOf(wide), "condition: must have at most 100 leaves");
  const wrong = { all: Array.from({ length: 100 }, () => ({ event: 7, within: 7 })) };
  assert.equal(faultsOf(wrong).length, 10);
});

Deno.test("each type of field has its operators", () => {
  const all = ["eq", "neq", "in", "not_in", "exists", "not_exists", "contains", "not_contains"];
  const text = [...all, "starts_with", "ends_with"];
  const number = ["gt", "gte", "lt", "lte"];
  const time = [
    "before",
    "after",
    "within_last",
    "not_within_last",
    "within_next",
    "anniversary_today",
  ];
  const values: Record<string, unknown> = {
    in: ["x"],
    not_in: ["x"],
    before: fixedRange.since,
    after: fixedRange.since,
    within_last: "1d",
    not_within_last: "1d",
    within_next: "1d",
    gt: 1,
    gte: 1,
    lt: 1,
    lte: 1,
  };
  const valueless = ["exists", "not_exists", "anniversary_today"];
  const allowed: Record<string, string[]> = {
    email: text,
    external_id: text,
    first_name: text,
    created_at: [...time, "exists", "not_exists"],
    last_seen_at: [...time, "exists", "not_exists"],
    "attributes.x": [...text, ...number, ...time],
  };
  for (const [field, operators] of Object.entries(allowed)) {
    for (const op of [...text, ...number, ...time]) {
      const value = valueless.includes(op) ? {} : { value: values[op] ?? "x" };
      const fault = faultOf({ field, op, ...value });
      if (operators.includes(op)) assert.equal(fault, undefined, `${field} ${op}`);
      else assert.match(fault!, /^condition\.op: must be one of "/, `${field} ${op}`);
    }
  }
  assert.match(
    faultOf({ field: "email", op: "matches", value: ".*" })!,
    /^condition\.op: must be one of/,
  );
  assert.equal(faultOf({ field: "email" }), "condition.op: is required");
  assert.equal(
    faultOf({ field: "is_identified", op: "exists" }),
    'condition.op: must be one of "eq", "neq"',
  );
});

Deno.test("each operator has its form of value, and types do not coerce", () => {
  const fault = (op: string, value: unknown, field = "attributes.x") =>
    faultOf({ field, op, value });
  assert.equal(fault("exists", true), 'condition.value: must be left out with "exists"');
  assert.equal(
    fault("anniversary_today", 1),
    'condition.value: must be left out with "anniversary_today"',
  );
  assert.equal(fault("eq", undefined), "condition.value: is required");
  assert.equal(fault("eq", null), "condition.value: must be a string, a number, true or false");
  assert.equal(fault("eq", ["x"]), "condition.value: must be a string, a number, true or false");
  assert.equal(fault("in", "x"), "condition.value: must be a list of 1 to 500 values");
  assert.equal(fault("in", []), "condition.value: must be a list of 1 to 500 values");
  assert.equal(
    fault("in", Array(501).fill(1)),
    "condition.value: must be a list of 1 to 500 values",
  );
  assertAccepted({
    field: "attributes.x",
    op: "in",
    value: [...Array(499).fill(1), "1", true].slice(0, 500),
  });
  assert.equal(
    fault("in", [1, {}]),
    "condition.value[1]: must be a string, a number, true or false",
  );
  assert.equal(fault("contains", 5), "condition.value: must be a string");
  assert.equal(fault("contains", ""), "condition.value: must be 1 to 1000 characters long");
  assert.equal(fault("eq", "x".repeat(1001)), "condition.value: must be 1 to 1000 characters long");
  assert.equal(fault("eq", "a\0b"), "condition.value: must not contain U+0000 or a lone surrogate");
  assertAccepted({ field: "attributes.x", op: "eq", value: "😀".repeat(1000) });
  assert.match(fault("gt", "5")!, /^condition\.value: must be a number/);
  assert.match(fault("gt", 2 ** 53)!, /^condition\.value: must be a number/);
  assert.match(
    fault("before", "2026-01-01")!,
    /^condition\.value: must be an RFC 3339 time with offset/,
  );
  assert.match(fault("before", "1969-12-31T23:59:59Z")!, /^condition\.value: must be from 1970/);
  assert.equal(fault("eq", 5, "email"), "condition.value: must be a string");
  assert.equal(fault("in", ["a", 5], "email"), "condition.value[1]: must be a string");
  assert.equal(fault("eq", "true", "is_identified"), "condition.value: must be true or false");
  assert.match(fault("eq", "Germany", "country")!, /^condition\.value: must be/);
  assert.match(
    fault("in", ["Europe/Berlin", "Mars"], "timezone")!,
    /^condition\.value\[1\]: must be an IANA/,
  );
});

Deno.test("paths into attributes and properties have 1 to 10 names", () => {
  const deepest = "attributes.a.b.c.d.e.f.g.h.i.j";
  assertAccepted({ field: deepest, op: "exists" });
  for (
    const field of [
      "attributes",
      "attributes.",
      "attributes..a",
      "attributes.a.",
      `${deepest}.k`,
      "trigger.x",
      "toString",
      "constructor",
    ]
  ) {
    assert.match(faultOf({ field, op: "exists" })!, /^condition\.field: must be one of/, field);
  }
  const property = (name: unknown) =>
    faultOf({ ...leaf, where: [{ property: name, op: "exists" }] });
  assert.equal(property("a.b"), undefined);
  assert.equal(
    property("a..b"),
    "condition.where[0].property: must be 1 to 10 names with dots between them",
  );
  assert.equal(property(7), "condition.where[0].property: must be a string");
});

Deno.test("steps of a run may test the trigger", () => {
  const value = { field: "trigger.cart_id", op: "exists" };
  assert.equal(readCondition(value).ok, false);
  assert.equal(readCondition(value, { allowsTrigger: true }).ok, true);
});

Deno.test("a filter of events may test the properties of the listed event", () => {
  const value = { all: [{ property: "total", op: "gte", value: 100 }, { segment: "vip" }] };
  assert.equal(readCondition(value).ok, false);
  const read = readCondition(value, { allowsProperty: true });
  assert.deepEqual(read, { ok: true, condition: value });
});

Deno.test("references are ids or keys", () => {
  for (const kind of ["segment", "topic"]) {
    assert.equal(faultOf({ [kind]: "-x" }), `condition.${kind}: must be an id or a key`);
    assert.equal(faultOf({ [kind]: "x".repeat(101) }), `condition.${kind}: must be an id or a key`);
    assert.equal(faultOf({ [kind]: 7 }), `condition.${kind}: must be an id or a key`);
    assertAccepted({ [kind]: "x".repeat(100) });
  }
  assert.equal(
    faultOf({ topic: "news", subscribed: "yes" }),
    "condition.subscribed: must be true or false",
  );
  assert.equal(faultOf({ journey: "welcome" }), "condition.state: is required");
  assert.equal(
    faultOf({ journey: "welcome", state: "left" }),
    'condition.state: must be one of "active", "completed", "ever"',
  );
});

Deno.test("a bucket is a range of per cents", () => {
  const fault = (from: unknown, to: unknown) => faultOf({ bucket: "x", from, to });
  const percent = "must be a number from 0 to 100 with at most two decimals";
  assert.equal(fault(0, 0.01), undefined);
  assert.equal(fault(-1, 50), `condition.from: ${percent}`);
  assert.equal(fault(0, 100.01), `condition.to: ${percent}`);
  assert.equal(fault(0, 33.333), `condition.to: ${percent}`);
  assert.equal(fault("0", 50), `condition.from: ${percent}`);
  assert.equal(fault(50, 50), 'condition.from: must be below "to"');
});
