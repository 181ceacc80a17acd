import assert from "node:assert/strict";
import {
  assertAccepted,
  faultOf,
  faultsOf,
  fixedRange,
  leaf,
  totalBounds,
} from "../../testing/data/conditions.ts";

Deno.test("durations have one unit, and are from 1 second to the limit of their place", () => {
  const within = (value: unknown) => faultOf({ ...leaf, within: value });
  for (const good of ["1s", "30s", "15m", "36h", "7d", "2w", "400d", "57w", "9600h", "34560000s"]) {
    assert.equal(within(good), undefined, good);
  }
  for (
    const bad of [
      "401d",
      "9601h",
      "34560001s",
      "58w",
      "0s",
      "007d",
      "-1d",
      "1.5d",
      "7",
      "d",
      "7D",
      "7 d",
      "1d12h",
      "1mo",
      7,
      null,
      "9999999999w",
    ]
  ) {
    assert.equal(
      within(bad),
      'condition.within: must be a duration such as "7d", up to 400d',
      `${bad}`,
    );
  }
  const distance = (value: unknown) => faultOf({ field: "created_at", op: "within_last", value });
  assert.equal(distance("36500d"), undefined);
  assert.equal(
    distance("36501d"),
    'condition.value: must be a duration such as "7d", up to 36500d',
  );
});

Deno.test("the name of an event is one that can be tracked", () => {
  assert.equal(
    faultOf({ event: "" })!.startsWith("condition.event: must be 1 to 200 characters"),
    true,
  );
  assert.equal(
    faultOf({ event: "x".repeat(201) })!.startsWith("condition.event: must be 1 to 200"),
    true,
  );
  assert.equal(faultOf({ event: undefined }), "condition.event: is required");
  for (const event of ["ping", "segment.entered", "sender.failing", "customer.created", "$x"]) {
    assert.match(faultOf({ event })!, /^condition\.event: must not be .* reserves this name$/);
  }
  assertAccepted({ event: "email_opened" }, { event: "Order Completed" });
});

Deno.test("tests of properties do not depend on the clock", () => {
  const fault = (where: unknown) => faultOf({ ...leaf, where });
  const test = { property: "total", op: "gte", value: 1 };
  assert.equal(fault(Array(20).fill(test)), undefined);
  assert.equal(fault(Array(21).fill(test)), "condition.where: must be a list of 1 to 20 tests");
  assert.equal(fault(test), "condition.where: must be a list of 1 to 20 tests");
  for (const op of ["within_last", "not_within_last", "within_next", "anniversary_today"]) {
    assert.match(fault([{ ...test, op }])!, /^condition\.where\[0\]\.op: must be one of/, op);
  }
  assertAccepted({ ...leaf, where: [{ property: "due", op: "before", value: fixedRange.since }] });
});

Deno.test("a range is a window or fixed, and begins before it ends", () => {
  const bad = 'must not be combined with "within"';
  assert.deepEqual(faultsOf({ ...leaf, within: "7d", ...fixedRange }), [
    `condition.since: ${bad}`,
    `condition.until: ${bad}`,
  ]);
  const same = { since: fixedRange.since, until: fixedRange.since };
  assert.equal(faultOf({ ...leaf, ...same }), 'condition.since: must be before "until"');
  assert.match(faultOf({ ...leaf, since: "yesterday" })!, /^condition\.since: must be an RFC 3339/);
});

Deno.test("counts are from 0 to 100, in bounds that can hold", () => {
  const fault = (count: unknown) => faultOf({ ...leaf, count });
  for (
    const good of [{ gte: 1 }, { gte: 100 }, { lte: 0 }, { lte: 100 }, { eq: 0 }, { eq: 100 }, {
      gte: 2,
      lte: 2,
    }]
  ) {
    assert.equal(fault(good), undefined, JSON.stringify(good));
  }
  const whole = (least: number) => `must be a whole number from ${least} to 100`;
  assert.equal(fault({ gte: 0 }), `condition.count.gte: ${whole(1)}`);
  assert.equal(fault({ gte: 101 }), `condition.count.gte: ${whole(1)}`);
  assert.equal(fault({ lte: -1 }), `condition.count.lte: ${whole(0)}`);
  assert.equal(fault({ eq: 1.5 }), `condition.count.eq: ${whole(0)}`);
  assert.equal(fault({ eq: "1" }), `condition.count.eq: ${whole(0)}`);
  assert.equal(fault({}), 'condition.count: must have "gte", "lte" or "eq"');
  assert.equal(fault(3), "condition.count: must be an object");
  assert.equal(
    fault({ eq: 1, gte: 1 }),
    "condition.count.eq: must not be combined with other bounds",
  );
  assert.equal(fault({ gte: 3, lte: 2 }), 'condition.count.gte: must not be over "lte"');
});

Deno.test("figures have a property and at least one bound, and stand alone", () => {
  for (const figure of ["sum", "min", "max"]) {
    const fault = (value: unknown) => faultOf({ ...leaf, [figure]: value });
    assert.equal(fault(totalBounds), undefined);
    assert.equal(fault({ gte: 1 }), `condition.${figure}.property: is required`);
    assert.equal(
      fault({ property: "total" }),
      `condition.${figure}: must have at least one of "gt", "gte", "lt", "lte", "eq"`,
    );
    assert.match(
      fault({ property: "total", gte: "5" })!,
      new RegExp(`^condition\\.${figure}\\.gte: must be a number`),
    );
    assert.equal(
      faultOf({ ...leaf, count: { gte: 1 }, [figure]: totalBounds }),
      `condition.${figure}: must not be combined with "count"`,
    );
  }
});
