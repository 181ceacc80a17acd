import assert from "node:assert/strict";
import {
  applyFix,
  type Fix,
  isComplete,
  readPath,
  setsCustomer,
  suggestFix,
} from "../../dashboard/src/pages/rejected/fix_entry.ts";
import { formatPath } from "../../supabase/functions/_shared/json/json.ts";

Deno.test("readPath() reads what errors write", () => {
  for (const path of [["a"], ["a", "b"], ["a", 0, "b"], ["unit price"], ["a", 'x"y', "c"]]) {
    assert.deepEqual(readPath(formatPath(path)), path);
  }
  for (const text of ["", "a..b", "a[", "[x]", ".", "a."]) assert.equal(readPath(text), undefined);
});

const fixes: [says: string, entry: unknown, fix: Fix, result: unknown][] = [
  ["a renamed field", { nmae: "a", external_id: "u" }, {
    kind: "rename",
    field: "nmae",
    to: "name",
  }, { name: "a", external_id: "u" }],
  ["a field moved into an object that is missing", { total: 1 }, {
    kind: "rename",
    field: "total",
    to: "properties.total",
  }, { properties: { total: 1 } }],
  ["no rename over a value", { nmae: "a", name: "b" }, {
    kind: "rename",
    field: "nmae",
    to: "name",
  }, undefined],
  ["no rename of what is missing", { a: 1 }, { kind: "rename", field: "b", to: "c" }, undefined],
  ["no rename into a text", { a: 1, b: "x" }, { kind: "rename", field: "a", to: "b.c" }, undefined],
  ["a removed field", { a: { b: 1, c: 2 } }, { kind: "remove", field: "a.b" }, { a: { c: 2 } }],
  ["a removed item", { a: [1, 2] }, { kind: "remove", field: "a[0]" }, { a: [2] }],
  ["a value of text", {}, { kind: "set", field: "name", value: "a b" }, { name: "a b" }],
  ["a value of JSON", { a: "5" }, { kind: "set", field: "a", value: "5" }, { a: 5 }],
  ["no value that is there", { a: 5 }, { kind: "set", field: "a", value: "5" }, undefined],
  ["nothing in a text", "text", { kind: "set", field: "a", value: "5" }, undefined],
  ["nothing without a fix", { a: 5 }, { kind: "none" }, undefined],
];

for (const [says, entry, fix, result] of fixes) {
  Deno.test(`applyFix(): ${says}`, () => {
    const before = structuredClone(entry);
    // With the order of the fields.
    assert.equal(JSON.stringify(applyFix(entry, fix)), JSON.stringify(result));
    assert.deepEqual(applyFix(entry, fix), result);
    assert.deepEqual(entry, before);
  });
}

Deno.test("suggestFix() takes the name that was meant, of the field that is unknown", () => {
  const cause = { code: "invalid_input", field: "name", origin: "track" };
  const reason = 'Field "name" is required; field "nmae" is unknown: did you mean "name"?';
  assert.deepEqual(suggestFix({ ...cause, reason }), { kind: "rename", field: "nmae", to: "name" });
  assert.deepEqual(
    suggestFix({
      ...cause,
      reason: 'Field "total" is unknown: check its spelling, or put it under "properties"',
    }),
    { kind: "rename", field: "total", to: "properties.total" },
  );
  const inBulk = 'Field "batch[3]["frist name"]" is unknown: did you mean "name"?';
  assert.deepEqual(
    suggestFix({ ...cause, reason: inBulk }),
    { kind: "rename", field: '["frist name"]', to: "name" },
  );
  assert.deepEqual(
    suggestFix({ ...cause, field: "events[0].properties.name", reason: "Field is too long" }),
    { kind: "set", field: "properties.name", value: "" },
  );
  assert.deepEqual(
    suggestFix({ ...cause, reason: 'Field "name" is required' }),
    { kind: "set", field: "name", value: "" },
  );
  assert.deepEqual(suggestFix({ ...cause, reason, origin: "inbound" }), { kind: "none" });
  assert.deepEqual(suggestFix({ ...cause, reason, code: "not_found" }), { kind: "none" });
});

Deno.test("isComplete() wants a path, and a new name", () => {
  assert(isComplete({ kind: "none" }));
  assert(isComplete({ kind: "set", field: "a", value: '""' }));
  assert(isComplete({ kind: "remove", field: "a[0].b" }));
  assert(!isComplete({ kind: "set", field: "a", value: " " }));
  assert(!isComplete({ kind: "remove", field: "" }));
  assert(!isComplete({ kind: "rename", field: "a", to: "" }));
});

Deno.test("setsCustomer() knows a fix that gives entries the same customer", () => {
  assert(setsCustomer({ kind: "set", field: "external_id", value: "u1" }));
  assert(setsCustomer({ kind: "set", field: "anonymousId", value: "a1" }));
  assert(!setsCustomer({ kind: "set", field: "external_id", value: "" }));
  assert(!setsCustomer({ kind: "set", field: "name", value: "u1" }));
  assert(!setsCustomer({ kind: "remove", field: "anon_id" }));
});
