import assert from "node:assert/strict";
import { collectPaths } from "../../dashboard/src/conditions/collect_paths.ts";
import { describeCondition } from "../../dashboard/src/conditions/describe.ts";
import { checkDraft } from "../../dashboard/src/conditions/check_draft.ts";
import { addToAll, asGroup, makeDraft } from "../../dashboard/src/conditions/draft.ts";
import {
  changeMeasure,
  changeSpan,
  measureOf,
} from "../../dashboard/src/conditions/event_parts.ts";
import { formatPath, parsePath, readFaults } from "../../dashboard/src/conditions/faults.ts";
import { ApiCallError } from "../../supabase/functions/api/contract/client.ts";

Deno.test("checkDraft() says which faults are only missing values", () => {
  const draft = {
    all: [
      makeDraft("field"),
      { event: "order", within: "500d" },
      { event: "order", count: { gte: undefined } },
    ],
  };
  const { condition, faults } = checkDraft(draft);
  assert.equal(condition, undefined);
  assert.deepEqual(
    faults.map(({ path, isMissing }) => [formatPath(path), isMissing]),
    [["all[0].field", true], ["all[1].within", false], ["all[2].count", true]],
  );
  const complete = { all: [{ field: "country", op: "eq", value: "de" }] };
  assert.deepEqual(checkDraft(complete).condition, {
    all: [{ field: "country", op: "eq", value: "DE" }],
  });
});

Deno.test("every kind of condition that can be added is one that the api knows", () => {
  const kinds = ["field", "event", "segment", "topic", "journey", "bucket", "group"] as const;
  for (const kind of kinds) {
    const wrong = checkDraft({ all: [makeDraft(kind)] }).faults.filter(({ isMissing }) =>
      !isMissing
    );
    assert.deepEqual(wrong, [], kind);
  }
  assert.deepEqual(
    checkDraft({ all: [makeDraft("property")] }, { allowsProperty: true }).faults
      .filter(({ isMissing }) => !isMissing),
    [],
  );
});

Deno.test("readFaults() returns the faults below a condition's place in the request", () => {
  const details = [
    { field: "condition.all[2].within", message: "must be a duration" },
    { field: "condition", message: "must not refer to itself" },
    { field: "conditions.all", message: "is unknown" },
    { field: "name", message: "is required" },
  ];
  const error = new ApiCallError(400, { error: "x", code: "invalid_input", details });
  assert.deepEqual(readFaults(error, "condition"), [
    { path: ["all", 2, "within"], message: "must be a duration" },
    { path: [], message: "must not refer to itself" },
  ]);
  assert.deepEqual(readFaults(null, "condition"), []);
  assert.deepEqual(parsePath("all[0].not.where[12].value"), [
    "all",
    0,
    "not",
    "where",
    12,
    "value",
  ]);
});

Deno.test("asGroup() and addToAll() keep what a condition says", () => {
  const leaf = { event: "a" };
  assert.deepEqual(asGroup(undefined), { all: [] });
  assert.deepEqual(asGroup(leaf), { all: [leaf] });
  assert.deepEqual(asGroup({ any: [leaf] }), { any: [leaf] });
  assert.deepEqual(asGroup({ not: { any: [leaf] } }), { not: { any: [leaf] } });
  assert.deepEqual(addToAll({ any: [leaf] }, leaf), { all: [{ any: [leaf] }, leaf] });
  assert.deepEqual(addToAll({ all: [leaf] }, leaf), { all: [leaf, leaf] });
});

const described: [condition: unknown, text: string][] = [
  [{ field: "attributes.plan", op: "in", value: ["pro", "scale"] }, "plan is one of pro, scale"],
  [
    { field: "last_seen_at", op: "not_within_last", value: "1d" },
    "last_seen_at is not within the last day",
  ],
  [{ event: "order", count: { eq: 0 } }, "no order"],
  [
    {
      event: "order",
      within: "30d",
      count: { gte: 2, lte: 5 },
      where: [{ property: "total", op: "gte", value: 100 }],
    },
    "did order at least 2 and at most 5 times in the last 30 days where total is at least 100",
  ],
  [
    { event: "order", sum: { property: "total", gte: 500 } },
    "sum of total of order is at least 500",
  ],
  [
    { event: "order", since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" },
    "did order between 2026-01-01 and 2026-02-01",
  ],
  [{ segment: "1" }, "in segment VIP"],
  [{ not: { any: [{ event: "a" }, { event: "b" }] } }, "not (did a, or did b)"],
  [
    { all: [{ any: [{ event: "a" }, { event: "b" }] }, { event: "c" }] },
    "(did a, or did b), and did c",
  ],
  [{ bucket: "test", from: 0, to: 50 }, "in 0% to 50% of test"],
];

Deno.test("describeCondition() says a condition in words", () => {
  for (const [condition, text] of described) {
    assert.equal(describeCondition(condition, (kind, id) => `${kind}${id}` && "VIP"), text);
  }
});

Deno.test("what is measured of events changes without leaving a trace", () => {
  const summed = changeMeasure({ event: "order", within: "7d" }, "sum");
  assert.deepEqual(measureOf(summed), "sum");
  const largest = changeMeasure({ ...summed, sum: { property: "total", gte: 5 } }, "max");
  assert.deepEqual(largest, { event: "order", within: "7d", max: { property: "total", gte: 5 } });
  assert.deepEqual(changeMeasure(largest, "happened"), { event: "order", within: "7d" });
  assert.deepEqual(measureOf(changeMeasure(largest, "never")), "never");
  assert.deepEqual(changeSpan(largest, "all"), { event: "order", max: largest.max });
});

Deno.test("collectPaths() finds paths, their types and their frequent values", () => {
  const objects = [
    { plan: "pro", seats: 3, address: { city: "Berlin" }, tags: ["a"], "a.b": 1 },
    { plan: "pro", seats: "many", address: { city: "Rome" } },
    { plan: "free", seats: 4, trial: true, nothing: null },
  ];
  assert.deepEqual(collectPaths(objects), [
    { path: "address.city", type: "text", values: ["Berlin", "Rome"] },
    { path: "plan", type: "text", values: ["pro", "free"] },
    { path: "seats", type: "number", values: ["3", "many", "4"] },
    { path: "trial", type: "boolean", values: ["true"] },
  ]);
});
