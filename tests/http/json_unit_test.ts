import assert from "node:assert/strict";
import fc from "fast-check";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import {
  formatPath,
  inspectParsed,
  parseJson,
  parseJsonInSteps,
} from "../../supabase/functions/_shared/json/json.ts";
import { parseLossless } from "../../supabase/functions/_shared/json/lossless.ts";
import { countJson, countJsonInSteps } from "../../supabase/functions/_shared/json/scan.ts";

/** Fields and messages of the faults of a text. */
function faultsOf(text: string, envelope?: string): string[] {
  const { faults } = parseJson(text, envelope === undefined ? {} : { envelope });
  return faults.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + close.repeat(levels);
}

Deno.test("parseJson() returns what JSON.parse returns, without faults, for plain values", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
    const text = JSON.stringify(value);
    const parsed = parseJson(text);
    assert.deepEqual(parsed.value, JSON.parse(text));
    assert.deepEqual(parsed.faults, []);
  }));
});

Deno.test("parseJson() throws invalid_json for text that is not JSON", () => {
  for (const text of ["", " ", "{", '{"a":}', "{'a':1}", '{"a":1}x', "NaN", "[1,]", '"\n"']) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof ApiError && error.code === "invalid_json",
    );
  }
});

Deno.test("parseJson() finds U+0000 and lone surrogates in values and in keys", () => {
  for (const escape of ["\\u0000", "\\ud800", "\\uDFFF", "\\ude00\\ud83d", "\\ud83d\\\\ude00"]) {
    assert.equal(faultsOf(`{"a":{"b":["x","y${escape}z"]}}`).length, 1, escape);
    assert.match(faultsOf(`{"a":["${escape}"]}`)[0]!, /^a\[0\]: must not contain /);
    assert.match(faultsOf(`{"a":{"${escape}":1}}`)[0]!, /^a: must not have a key that contains /);
  }
});

Deno.test("parseJson() reads escaped surrogate pairs and escaped backslashes correctly", () => {
  assert.deepEqual(faultsOf('{"a":"\\ud83d\\ude00 \\\\u0000 \\\\ud800"}'), []);
  assert.deepEqual(parseJson('{"a":"\\ud83d\\ude00"}').value, { a: "😀" });
});

Deno.test("parseJson() finds numbers that JSON.parse would change and suggests a fix", () => {
  const integers = [
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "1".repeat(40),
  ];
  for (const number of integers) {
    assert.match(faultsOf(`{"a":[0, ${number}]}`)[0]!, /^a\[1\]: would be changed to .* string$/);
  }
  for (const number of ["1e400", "-1E309", "1.5e999", "9".repeat(310)]) {
    assert.match(faultsOf(`{"a": ${number}}`)[0]!, /^a: must be within the range .* string$/);
  }
  // Digits inside a text are not a number.
  assert.deepEqual(faultsOf('{"a":", 1e999","b":"\\",1e999,","c":[", 9007199254740993"]}'), []);
  assert.deepEqual(faultsOf('{"a":", 1e999\\\\","b":1e999}').length, 1);
  assert.match(faultsOf('{"a":{"\\u0000":1}}')[0]!, /key that contains U\+0000/);
});

Deno.test("parseJson() finds numbers that are so small that they would lose digits", () => {
  const zeros = `0.${"0".repeat(323)}`;
  const changed = [
    ["1e-400", "0"],
    ["-1E-400", "0"],
    ["123.456e-999999", "0"],
    [`${zeros}4`, "5e-324"],
    [`-${zeros}01`, "0"],
    ["2.4703282292062327e-324", "0"],
    ["4.9e-324", "5e-324"],
    ["1.23456789e-320", "1.2347e-320"],
  ];
  for (const [number, stored] of changed) {
    const message = `a[1]: would be changed to ${stored}, the nearest 64-bit float: ` +
      "send it as a string";
    assert.deepEqual(faultsOf(`{"a":[0,${number}]}`), [message]);
  }
  const kept = ["0e-400", "-0.0E9", `${zeros}0`, "5e-324", "1e-320", "2.2250738585072014e-308"];
  assert.deepEqual(faultsOf(`[${kept.join(",")},50e-325,0.05e-322,1.0e-310]`), []);
});

Deno.test("parseLossless() keeps the digits of numbers that a double would lose", () => {
  const zeros = `0.${"0".repeat(330)}`;
  const texts = ["1e-400", "-1E-400", `${zeros}1`, "4.9e-324", "1e400", "9007199254740993"];
  assert.deepEqual(parseLossless(`[${texts.join(", ")}]`), texts);
  assert.deepEqual(parseLossless("[0e-400, 5e-324, 1e-320]"), [0, 5e-324, 1e-320]);
});

Deno.test("parseJson() accepts every number that survives", () => {
  const numbers = ["9007199254740992", "75212262379733700", "-123000000000000000000000", "1e308"];
  assert.deepEqual(faultsOf(`[${numbers.join(",")}, -0, 0.1, 1E5, 3.141592653589793238]`), []);
  fc.assert(fc.property(fc.maxSafeInteger(), fc.double({ noNaN: true }), (integer, double) => {
    const whole = Math.trunc(double);
    assert.deepEqual(faultsOf(JSON.stringify([integer, double, whole, String(whole)])), []);
  }));
});

Deno.test("parseJson() accepts ten levels inside a document and refuses the eleventh", () => {
  for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
    const inner = close === "}" ? "1" : "";
    const of = (levels: number) => `{"p":${open.repeat(levels)}${inner}${close.repeat(levels)}}`;
    for (const levels of [1, 9, 10]) assert.deepEqual(faultsOf(of(levels)), []);
    assert.match(faultsOf(of(11))[0]!, /must not be nested over 10 levels deep$/);
  }
});

Deno.test("parseJson() accepts as many levels as its caller allows", () => {
  const nested = (levels: number) => "[".repeat(levels + 1) + "]".repeat(levels + 1);
  assert.deepEqual(parseJson(nested(20), { maxDepth: 20 }).faults, []);
  const [fault] = parseJson(nested(21), { maxDepth: 20 }).faults;
  assert.equal(fault?.message, "must not be nested over 20 levels deep");
});

Deno.test("parseJson() survives any depth", () => {
  for (const start of ["", "1e5,"]) {
    assert.match(faultsOf(`[${start}${nested(100_000, "[", "]")}]`)[0]!, /10 levels deep$/);
  }
});

Deno.test("parseJson() refuses text with so many brackets that parsing would take seconds", () => {
  const many = 200_000;
  const inText = JSON.stringify(`"${"[{".repeat(many)}`);
  for (const brackets of [nested(many, "[", "]"), `[${Array(many - 1).fill("{}")}]`]) {
    assert.doesNotThrow(() => parseJson(`{"a":${inText},"b":1}`));
    assert.doesNotThrow(() => parseJson(brackets));
    for (const text of [`[${inText},${brackets}]`, `[${brackets}`]) {
      assert.throws(
        () => parseJson(text),
        (error) => error instanceof ApiError && error.code === "payload_too_large",
      );
    }
  }
  assert.throws(() => parseJson(`${" ".repeat(2 * many)}"[`), {
    message: /^Body is not valid JSON/,
  });
});

Deno.test("parseJson() accepts 500,000 numbers and refuses one more, anywhere", () => {
  const inText = JSON.stringify("1,".repeat(500_000));
  const limit = { code: "payload_too_large", message: "Body must not contain over 500000 numbers" };
  const shapes = [
    (numbers: string) => `[${numbers}]`,
    (numbers: string) => `{"a":${inText},"events":[{"p":[${numbers}]}]}`,
  ];
  for (const shape of shapes) {
    for (const one of ["1", "-1.5", "1e5", "1E-5"]) {
      assert.doesNotThrow(() => parseJson(shape(Array(500_000).fill(one).join())));
      assert.throws(() => parseJson(shape(Array(500_001).fill(one).join())), limit);
    }
  }
});

Deno.test("countJson() counts containers, numbers and the members of one array", () => {
  const cases: [text: string, ...counts: [number, number, number]][] = [
    ["", 0, 0, 0],
    ["-1.5e-3", 0, 1, 0],
    ['{"events":[1,{"a":[2,3]},"x,[1",null],"n":4}', 4, 4, 4],
    ['{"other":[1,2],"events" : [{}]}', 4, 2, 1],
    ['{"a":{"events":[1,2]}}', 3, 2, 0],
    ['[{"events":[1,2]}]', 3, 2, 0],
    ['{"a":"events","b":[1,2]}', 2, 2, 0],
    ['{"events":[{},{}', 4, 0, 2],
    [String.raw`{"events":["\",[1","\\",{},"\\\",[1"]}`, 3, 0, 4],
    [String.raw`{"events":["",[1],"\","",[2`, 3, 1, 3],
  ];
  for (const [text, containers, numbers, members] of cases) {
    assert.deepEqual(countJson(text, "events"), { containers, numbers, members }, text);
  }
});

Deno.test("parseJson() finds the one invalid value among 400,000", () => {
  for (const [member, bad] of [["1", "1e999"], ["1e5", "1e999"], ['"a"', '"\\u0000"']]) {
    const text = `{"events":[{"p":[${`${member},`.repeat(400_000)}${bad}]}]}`;
    assert.equal(faultsOf(text, "events").length, 1);
  }
});

Deno.test("parseJson() refuses more changed numbers than a mistake explains", () => {
  const of = (count: number) => {
    const numbers = Array(20).fill("12345678901234567").join();
    return `{"events":[${Array(count / 20).fill(`{"p":[${numbers}]}`).join()}]}`;
  };
  assert.equal(parseJson(of(20_000), { envelope: "events" }).faults.length, 10_000);
  assert.throws(
    () => parseJson(of(20_020), { envelope: "events" }),
    (error) => error instanceof ApiError && error.code === "payload_too_large",
  );
  // Numbers that survive are counted by nobody, however long they are.
  const long = `{"events":[{"p":[${Array(50_000).fill("1000000000000000").join()}]}]}`;
  assert.deepEqual(faultsOf(long, "events"), []);
});

Deno.test("parseJson() does not inspect an entry over its caller's character limit", () => {
  const of = (length: number) => `{"p":"${"x".repeat(length - 8)}"}`;
  const options = { envelope: "events", maxSingle: 1000 };
  assert.equal(of(1000).length, 1000);
  assert.deepEqual(parseJson(of(1000), options).faults, []);
  assert.deepEqual(parseJson(`{"events":[${of(1000)}]}`, options).faults, []);
  assert.deepEqual(parseJson(of(1000) + " ".repeat(1000), options).faults, []);
  assert.deepEqual(parseJson(of(1000).replaceAll("x", "\\u0078"), options).faults, []);
  for (const text of [of(1001), `{"events":${of(1000)}}`]) {
    assert.throws(() => parseJson(text, options), {
      message: "Body of one entry must not be over 1000 characters of JSON",
    });
  }
});

Deno.test("parseJson() does not inspect an array over its caller's member limit", () => {
  const of = (members: number) => `{"events":[${Array(members).fill("1e999")}]}`;
  const options = { envelope: "events", maxMembers: 3 };
  assert.equal(parseJson(of(3), options).faults.length, 3);
  assert.equal(parseJson(of(4), options).faults.length, 0);
});

Deno.test("parseJson() accepts 300 keys in one object and refuses 301", () => {
  const of = (keys: number) =>
    JSON.stringify({ p: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i])) });
  for (const keys of [299, 300]) assert.deepEqual(faultsOf(of(keys)), []);
  assert.deepEqual(faultsOf(of(301)), ["p: must not have over 300 keys"]);
});

Deno.test("parseJson() counts levels and faults separately for each member of the envelope", () => {
  const deep = `{"p":${nested(10, "[", "]")}}`;
  assert.deepEqual(faultsOf(`{"events":[${deep},${deep}]}`, "events"), []);
  assert.notDeepEqual(faultsOf(`{"events":[${deep}]}`), []);
  const bad = `{"p":{${Array.from({ length: 20 }, (_, i) => `"k${i}":1e999`)}}}`;
  const { faults } = parseJson(`{"x":1e999,"events":[${bad},{},${bad}]}`, { envelope: "events" });
  const count = (index: number) => faults.filter(({ path }) => path[1] === index).length;
  assert.deepEqual([count(0), count(1), count(2)], [10, 0, 10]);
  assert.deepEqual(faults[0]?.path, ["x"]);
});

Deno.test("parseJson() inspects an enveloped object as its own document, and its envelope too", () => {
  const of = (levels: number) => `{"entry":{"p":${nested(levels, "[", "]")}},"x":"\\u0000"}`;
  const around = "x: must not contain U+0000: remove it";
  assert.deepEqual(faultsOf(of(10), "entry"), [around]);
  const [, deep] = faultsOf(of(11), "entry");
  assert.match(deep!, /^entry\.p(?:\[0\]){10}: must not be nested over 10 levels deep$/);
  assert.equal(faultsOf('{"entry":"\\u0000","x":"\\u0000"}', "entry").length, 2);
});

Deno.test("parseJson() uses the last of two equal keys", () => {
  assert.deepEqual(parseJson('{"a":1,"a":2}').value, { a: 2 });
  assert.deepEqual(faultsOf('{"a":1e999,"a":2}'), []);
});

Deno.test("parseJson() treats __proto__ like any other key", () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1e5}}']) {
    const { value } = parseJson(text);
    assert(Object.hasOwn(value as object, "__proto__"));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  }
  assert.match(faultsOf('{"__proto__":{"a":1e999}}')[0]!, /^__proto__\.a: /);
});

Deno.test("formatPath() writes readable paths and truncates very long ones", () => {
  assert.equal(
    formatPath(["events", 3, "properties", "a b", "c"]),
    'events[3].properties["a b"].c',
  );
  assert.equal(formatPath([]), "");
  assert(formatPath(["k".repeat(10_000)]).length < 210);
});

Deno.test("countJsonInSteps() and parseJsonInSteps() pause throughout a large text, with equal results", () => {
  const events = Array.from({ length: 400 }, (_, i) => {
    return { name: "x", n: Array(500).fill(9007199254740991), text: "a".repeat(i), bad: i === 399 };
  });
  const text = JSON.stringify({ events }).replace("true", "12345678901234567");
  const counting = countJsonInSteps(text, "events");
  let pauses = 0;
  let step = counting.next();
  for (; !step.done; step = counting.next()) pauses++;
  assert.deepEqual(step.value, countJson(text, "events"));
  assert(pauses >= text.length / 300_000, `${pauses} pauses`);

  const parsing = parseJsonInSteps(text, { envelope: "events", counts: step.value });
  let parsed = parsing.next();
  for (pauses = 0; !parsed.done; parsed = parsing.next()) pauses++;
  assert.deepEqual(parsed.value, parseJson(text, { envelope: "events" }));
  assert.deepEqual(parsed.value.faults.map(({ path }) => formatPath(path)), ["events[399].bad"]);
  // One for each member, and those of the scan.
  assert(pauses >= 400 + text.length / 300_000, `${pauses} pauses`);
});

Deno.test("inspectParsed() finds in a value what parseJson() finds in its text", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\ud800", "\udc00x"));
  const value = fc.anything({
    key: text,
    values: [text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)],
    maxDepth: 12,
  });
  fc.assert(fc.property(value, (any) => {
    const written = JSON.stringify({ any });
    assert.deepEqual(inspectParsed(JSON.parse(written)), parseJson(written).faults);
  }));
  const keys = Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`k${i}`, i]));
  const deep = JSON.parse(nested(12, '{"a":', "}").replace(":}", ":1}"));
  for (const each of [keys, deep, [keys, deep, "\0"]]) {
    const { faults } = parseJson(JSON.stringify(each));
    assert.notEqual(faults.length, 0);
    assert.deepEqual(inspectParsed(each), faults);
  }
});
