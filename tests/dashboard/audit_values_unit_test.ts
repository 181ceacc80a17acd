import assert from "node:assert/strict";
import type { JsonObject } from "../../dashboard/src/api/types.ts";
import {
  isId,
  isLong,
  nameField,
  otherDetails as otherDetailsOf,
  readable,
  readChanges,
  showValue,
} from "../../dashboard/src/pages/audit_log/changes.ts";

const otherDetails = (details: JsonObject) => otherDetailsOf({ action: "segment.update", details });

Deno.test("readChanges() and otherDetails() split the details of an entry", () => {
  const changes = { name: { before: "a", after: "b" } };
  const details = { name: "b", fields: ["name"], changes, replayed: 3 };
  assert.deepEqual(readChanges(details), [["name", changes.name]]);
  assert.deepEqual(otherDetails(details), [["Replayed", "3"]]);
  assert.deepEqual(readChanges({ fields: ["first_name"] }), []);
  assert.deepEqual(otherDetails({ fields: ["first_name"] }), [["Fields", "first_name"]]);
  assert.deepEqual(otherDetails({ list: "sends" }), [["List", "Sends"]]);
  assert.deepEqual(otherDetails({ version: null, ids: [], days: 0 }), [["Days", "0"]]);
});

Deno.test("otherDetails() has the values of something new, also its first name", () => {
  const details = { name: "Buyers", key: null, kind: "live" };
  assert.deepEqual(otherDetailsOf({ action: "segment.create", details }), [
    ["Name", "Buyers"],
    ["Kind", "live"],
  ]);
  assert.deepEqual(otherDetails(details), [["Kind", "live"]]);
});

Deno.test("isId() tells IDs, which can be copied, from other texts", () => {
  assert.equal(isId("01a22f14-af40-747d-b0b2-6c5348c710d3"), true);
  assert.equal(isId("Winter collection"), false);
  assert.equal(isId("01a22f14-af40-747d-b0b2-6c5348c710d3, 2"), false);
});

Deno.test("isLong() leaves long values to the drawer", () => {
  assert.equal(isLong("Warehouse"), false);
  assert.equal(
    isLong({ all: [{ attribute: "plan", is: "pro" }, { attribute: "age", over: 40 }] }),
    true,
  );
});

Deno.test("readable() writes conditions as sentences, with the names of what they refer to", () => {
  const condition = { all: [{ field: "country", op: "eq", value: "DE" }, { segment: "s1" }] };
  assert.equal(
    readable("condition", condition, () => "Buyers"),
    "country is DE, and in segment Buyers",
  );
  assert.equal(
    readable("filter", { property: "total", op: "gt", value: 5 }),
    "total is more than 5",
  );
  assert.equal(readable("condition", null), null);
  assert.equal(readable("config", condition), condition);
});

Deno.test("showValue() formats times", () => {
  assert.match(String(showValue("2026-10-31T01:03:34.323Z")), /^\d+ \w+ 2026, \d\d:\d\d$/);
});

Deno.test("showValue() and nameField() use words", () => {
  assert.deepEqual(
    [null, "", true, false, 5, ["a", "b"], [], { a: 1 }].map(showValue),
    ["–", "–", "Yes", "No", "5", "a, b", "–", '{"a":1}'],
  );
  assert.equal(nameField("rate_limit_per_second"), "Rate limit per second");
  assert.equal(nameField("url"), "URL");
  assert.equal(nameField("is_mended"), "Edited before resending");
  assert.equal(nameField("job_id"), "Job ID");
});

Deno.test("showValue() names resources, with the version that was used", () => {
  const [welcome, other] = [{ id: "t1", name: "Welcome", version: 3 }, { id: "t2", name: null }];
  assert.equal(showValue(welcome), "Welcome (version 3)");
  assert.equal(showValue([welcome, other]), "Welcome (version 3), t2");
  assert.deepEqual(otherDetails({ recipients: 18, sender: { id: "s1", name: "Main" } }), [
    ["Recipients", "18"],
    ["Sender", "Main"],
  ]);
});
