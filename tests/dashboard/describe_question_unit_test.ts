import assert from "node:assert/strict";
import { describeQuestion } from "../../dashboard/src/pages/explore/describe_question.ts";
import {
  type Address,
  lacksValue,
  readQuestion,
} from "../../dashboard/src/pages/explore/question.ts";

const since = "2026-01-01T00:00:00Z";

function describe(address: Address, ...events: object[]): string {
  const question = readQuestion({ ...address, events: JSON.stringify(events) }, { since });
  assert.ok(question);
  return describeQuestion(question, "last 30 days");
}

const viewed = { event: "product_viewed" };
const ordered = { event: "order_completed" };

Deno.test("describeQuestion() names what is counted, the range and the split", () => {
  assert.equal(
    describe({ property: "plan" }, ordered),
    "order_completed per day, last 30 days, by plan",
  );
  assert.equal(
    describe({ measure: "customers", interval: "week" }, ordered),
    "Customers with order_completed per week, last 30 days",
  );
});

Deno.test("describeQuestion() names the property that is added up", () => {
  assert.equal(
    describe({ measure: "sum", value: "total" }, ordered),
    "Sum of total of order_completed, per day, last 30 days",
  );
  assert.equal(
    describe({ measure: "average", value: "total", property: "plan" }, ordered),
    "Average of total of order_completed, per day, last 30 days, by plan",
  );
});

Deno.test("describeQuestion() names the events that are compared, which are not split", () => {
  assert.equal(
    describe({ property: "plan" }, viewed, ordered),
    "product_viewed, order_completed per day, last 30 days",
  );
});

Deno.test("readQuestion() waits for the property to add up, and leaves it out of counts", () => {
  const events = JSON.stringify([ordered]);
  assert.equal(readQuestion({ measure: "sum", events }, { since }), undefined);
  assert.equal(lacksValue({ measure: "sum", events }), true);
  assert.equal(lacksValue({ measure: "sum" }), false);
  const counted = readQuestion({ measure: "customers", value: "total", events }, { since });
  assert.equal(counted?.kind === "counts" && "value" in counted.body, false);
});

Deno.test("describeQuestion() names every kind", () => {
  assert.equal(
    describe({ kind: "funnel" }, viewed, ordered),
    "product_viewed → order_completed within 7 days, last 30 days",
  );
  assert.equal(
    describe({ kind: "retention" }, viewed, ordered),
    "product_viewed → order_completed for 8 weeks, last 30 days",
  );
  assert.equal(
    describe({ kind: "paths", depth: "1" }, viewed),
    "1 event after product_viewed within 1 day, last 30 days",
  );
});

Deno.test("describeQuestion() names the tests of an event", () => {
  const where = [
    { property: "plan", op: "eq", value: "pro" },
    { property: "coupon", op: "not_exists" },
  ];
  assert.equal(
    describe({}, { event: "order_completed", where }),
    "order_completed (plan is pro, coupon is not set) per day, last 30 days",
  );
});
