import assert from "node:assert/strict";
import {
  listReasons,
  placeInEntry,
  positionInBulk,
} from "../../dashboard/src/pages/rejected/list_reasons.ts";

Deno.test("listReasons() returns a reason for each wrong field, within the entry", () => {
  const cases: [error: string, reasons: string[]][] = [
    ['Field "name" is required', ['Field "name" is required']],
    [
      'Field "events[56].name" is required; field "events[56].nmae" is unknown: check its spelling',
      ['Field "name" is required', 'Field "nmae" is unknown: check its spelling'],
    ],
    ['Field "batch[0]" must be a JSON object', ["The entry must be a JSON object"]],
    ['Entry must have "external_id" or "anon_id"', [
      'The entry must have "external_id" or "anon_id"',
    ]],
    ['Field "events[2]["first name"]" is unknown', ['Field "["first name"]" is unknown']],
    ["The customer was erased; wait", ["The customer was erased; wait"]],
  ];
  for (const [error, reasons] of cases) assert.deepEqual(listReasons(error), reasons);
});

Deno.test("placeInEntry() leaves out the place of the entry in its bulk", () => {
  assert.equal(placeInEntry("events[56].properties.plan"), "properties.plan");
  assert.equal(placeInEntry("properties.events[1]"), "properties.events[1]");
  assert.equal(placeInEntry("batch[3]"), "");
});

Deno.test("positionInBulk() counts from 1, and knows bulks of both formats", () => {
  assert.equal(positionInBulk("events[0].name"), 1);
  assert.equal(positionInBulk("batch[41]"), 42);
  assert.equal(positionInBulk("properties.events[3]"), undefined);
  assert.equal(positionInBulk(""), undefined);
});
