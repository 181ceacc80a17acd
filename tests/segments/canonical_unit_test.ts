import assert from "node:assert/strict";
import { canonicalize } from "../../supabase/functions/api/contract/conditions/canonical.ts";
import { readCondition } from "../../supabase/functions/api/contract/conditions/read_condition.ts";
import type { Condition } from "../../supabase/functions/api/contract/conditions/types.ts";
import { sampleConditions } from "../../testing/data/conditions.ts";

Deno.test("canonicalize() gives one form to what says the same", () => {
  const same = (one: Condition, ...others: Condition[]) => {
    for (const other of others) assert.deepEqual(canonicalize(other), canonicalize(one));
  };
  const event = "order_completed";
  same({ event }, { event, where: [] }, { event, count: { gte: 1 } });
  same({ event, count: { eq: 0 } }, { event, count: { lte: 0 } });
  same({ event, count: { eq: 3 } }, { event, count: { gte: 3, lte: 3 } });
  same({ event, within: "7d" }, { event, within: "1w" }, { event, within: "168h" });
  const [a, b] = [
    { property: "total", op: "gte", value: 1 } as const,
    { property: "currency", op: "eq", value: "EUR" } as const,
  ];
  same({ event, where: [a, b] }, { event, where: [b, a] }, { event, where: [b, a, b] });
  const field = "attributes.plan";
  same(
    { field, op: "in", value: ["a", "b"] },
    { field, op: "in", value: ["b", "a", "a"] },
  );
  same(
    { not: { all: [{ field, op: "within_last", value: "24h" }] } },
    { not: { all: [{ field, op: "within_last", value: "1d" }] } },
  );
});

Deno.test("canonicalize() keeps apart what differs", () => {
  const forms = sampleConditions.map((sample) => {
    const read = readCondition(sample);
    assert(read.ok);
    return JSON.stringify(canonicalize(read.condition));
  });
  assert.equal(new Set(forms).size, sampleConditions.length);
  const field = "attributes.plan";
  const [one, other] = [5, "5"].map((value) =>
    JSON.stringify(canonicalize({ field, op: "in", value: [value] }))
  );
  assert.notEqual(one, other);
});

Deno.test("canonicalize() is stable: the form of a form is itself", () => {
  for (const sample of sampleConditions) {
    const read = readCondition(sample);
    assert(read.ok);
    const once = canonicalize(read.condition);
    assert.deepEqual(canonicalize(once), once);
    assert.equal(readCondition(once).ok, true, JSON.stringify(once));
  }
});
