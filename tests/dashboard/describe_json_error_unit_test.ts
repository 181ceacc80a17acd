import assert from "node:assert/strict";
import { describeJsonError } from "../../dashboard/src/format/describe_json_error.ts";
import { describeNoObject } from "../../dashboard/src/ui/describe_no_object.ts";

const errors: [text: string, error: string][] = [
  ['{"name": order}', "Line 1, position 10: expected a value, found order"],
  ['{"a": 1\n "b": 2}', 'Line 2, position 2: expected a comma or }, found "b"'],
  ['{\n  "a": 1,\n}', "Line 3, position 1: expected a name in double quotes, found }"],
  ["{a: 1}", "Line 1, position 2: expected a name in double quotes or }, found a"],
  ["{'a': 1}", "Line 1, position 2: expected a name in double quotes or }, found '"],
  ['{"a" 1}', "Line 1, position 6: expected a colon, found 1"],
  ['{"a": 01}', "Line 1, position 7: expected a value, found 01"],
  ['{"a": [1, 2}', "Line 1, position 12: expected a comma or ], found }"],
  ["[1, ]", "Line 1, position 5: expected a value, found ]"],
  ['{"a": 1', "Line 1, position 8: the text ends, but a comma or } is missing"],
  [
    '{"a": "x}\n',
    "Line 1, position 7: the text that begins here has no closing quote in its line",
  ],
  [
    String.raw`{"a": "\x"}`,
    "Line 1, position 7: the text that begins here has a wrong character after a backslash",
  ],
  ["{} {}", "Line 1, position 4: expected the end of the text, found {"],
];

for (const [text, error] of errors) {
  Deno.test(`describeJsonError() of ${JSON.stringify(text)}`, () => {
    assert.equal(describeJsonError(text), error);
  });
}

Deno.test("describeJsonError() agrees with the parser about every cut or changed text", () => {
  const whole = String
    .raw`{"a": [1, -2.5e+3, [], {}], "b\u00e9\"": {"c": null, "d": true}, "e": ""}`;
  for (let at = 0; at <= whole.length; at++) {
    for (const put of ["", "x", ",", "}", "]", '"', ":", "0", "-", "\\", "\n", " ", "{", "["]) {
      for (const rest of [whole.slice(at), whole.slice(at + 1), ""]) {
        const text = whole.slice(0, at) + put + rest;
        assert.equal(describeJsonError(text) === undefined, isJson(text), text);
      }
    }
  }
});

Deno.test("describeNoObject() wants an object", () => {
  assert.equal(describeNoObject('{"a": 1}'), null);
  assert.equal(describeNoObject("[]"), "Must be a JSON object");
  assert.equal(describeNoObject(" "), "Must be a JSON object");
  assert.equal(
    describeNoObject("{"),
    "Not valid JSON. Line 1, position 2: the text ends, but a name in double quotes or } is missing",
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
