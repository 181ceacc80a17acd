import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { readEntry } from "../../supabase/functions/_shared/entries/read_entry.ts";
import { describeDetails } from "../../supabase/functions/_shared/errors/errors.ts";
import { entryCases, placeholders, receivedAt } from "../../testing/data/entry_cases.ts";

const workspaceId = "01890000-0000-7000-8000-000000000000";
const origin = { workspaceId, receivedAt: receivedAt.getTime(), faults: [] };

function read(entry: unknown) {
  return readEntry(entry, origin);
}

function readText(entry: unknown): Record<string, unknown> {
  const result = read(entry);
  assert(result.ok, JSON.stringify(result));
  return JSON.parse(result.text);
}

Deno.test("readEntry() accepts each field at its limits and refuses it just beyond", () => {
  for (const { title, entry, field } of entryCases()) {
    const result = read(entry);
    const told = `${title}: ${JSON.stringify(result).slice(0, 500)}`;
    assert.equal(result.ok, field === undefined, told);
    if (result.ok) continue;
    assert.equal(result.code, "invalid_input", told);
    assert(result.details.some((detail) => detail.field === field), told);
  }
});

Deno.test("readEntry() writes an event in the database's format", () => {
  const event = {
    type: "track",
    external_id: "u",
    anon_id: "a",
    name: "n",
    occurred_at: "2026-01-01T00:00:00+02:00",
    properties: { price: 1.5 },
    context: { ip: "::1" },
    idempotency_key: "k",
  };
  const { type: _, ...fields } = event;
  assert.deepEqual(readText(event), { workspace_id: workspaceId, kind: "event", ...fields });
});

Deno.test("readEntry() collects and normalizes profile fields and keeps null apart from absence", () => {
  const entry = readText({
    type: "identify",
    external_id: "u",
    email: null,
    phone: "+49 (30) 123-45.67",
    country: "de",
    attributes: { plan: null },
  });
  assert.deepEqual(entry.profile, { email: null, phone: "+49301234567", country: "DE" });
  assert.deepEqual(entry.attributes, { plan: null });
});

Deno.test("readEntry() names the field and its rule, with the path inside a bulk", () => {
  const result = readEntry({ external_id: "u", name: 7 }, { ...origin, path: ["events", 3] });
  assert(!result.ok);
  assert.deepEqual(result.details, [{ field: "events[3].name", message: "must be a string" }]);
});

Deno.test("readEntry() converts a leap second with its fraction to the following second", () => {
  const at = (occurred_at: string) => {
    return readText({ external_id: "u", name: "n", occurred_at }).occurred_at;
  };
  assert.equal(at("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
  assert.equal(at("2016-12-31T23:59:60.250Z"), "2017-01-01T00:00:00.250Z");
  assert.equal(at("2016-12-31t18:59:60.999999999-05:00"), "2017-01-01T00:00:00.999Z");
});

Deno.test("readEntry() names the right place for an unknown field", () => {
  const told = (entry: Record<string, unknown>) => {
    const result = read({ external_id: "u", plna: "pro", ...entry });
    assert(!result.ok);
    return result.details.find(({ field }) => field === "plna")?.message;
  };
  const hint = "is unknown: check its spelling";
  assert.equal(told({ name: "n" }), `${hint}, or put it under "properties"`);
  assert.equal(told({ type: "identify" }), `${hint}, or put it under "attributes"`);
  assert.equal(told({ type: "alias", previous_id: "p" }), hint);
});

Deno.test("readEntry() suggests the field that was probably meant, unless the entry has it", () => {
  const told = (entry: Record<string, unknown>) => {
    const result = read(entry);
    assert(!result.ok);
    return result.details.filter(({ message }) => message.startsWith("is unknown"))
      .map(({ field, message }) => [field, /did you mean "(.*?)"\?/.exec(message)?.[1]]);
  };
  const names = { timestamp: "occurred_at", time: "occurred_at", ts: "occurred_at" };
  for (const [field, meant] of Object.entries(names)) {
    assert.deepEqual(told({ external_id: "u", name: "n", [field]: 1 }), [[field, meant]]);
  }
  assert.deepEqual(told({ userId: "u", anonymousId: "a", event: "n", propertis: {} }), [
    ["userId", "external_id"],
    ["anonymousId", "anon_id"],
    ["event", "name"],
    ["propertis", "properties"],
  ]);
  assert.deepEqual(told({ external_id: "u", user_id: "u", name: "n", nmae: "n" }), [
    ["user_id", undefined],
    ["nmae", undefined],
  ]);
  assert.deepEqual(told({ type: "identify", anonymous_id: "a", frist_name: "Ada" }), [
    ["anonymous_id", "anon_id"],
    ["frist_name", "first_name"],
  ]);
});

Deno.test("readEntry() reports a misspelled field as the guide shows", () => {
  const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const shown = JSON.parse(/### Errors\n\n```json\n([^`]*)```/.exec(guide)?.[1] ?? "");
  const result = read({ external_id: "u", nmae: "n" });
  assert(!result.ok);
  assert.deepEqual(result.details, shown.details);
  assert.equal(describeDetails(result.details), shown.error);
});

Deno.test("readEntry() refuses values that are not objects", () => {
  for (const value of [null, 1, "x", true, [], [{ external_id: "u", name: "n" }]]) {
    const result = read(value);
    assert(!result.ok);
    assert.deepEqual(result.details, [{ field: "", message: "must be a JSON object" }]);
  }
});

Deno.test("readEntry() accepts an entry of 32 KiB of compact JSON and none larger", () => {
  const entryOf = (bytes: number, filler: string) => {
    const bare = { external_id: "u", name: "n", properties: { a: "" } };
    const room = bytes - new TextEncoder().encode(JSON.stringify(bare)).byteLength;
    const size = new TextEncoder().encode(filler).byteLength;
    const text = filler.repeat(Math.floor(room / size)) + "x".repeat(room % size);
    return { ...bare, properties: { a: text } };
  };
  for (const filler of ["x", "ü", "漢", "😀"]) {
    for (const bytes of [32_767, 32_768]) assert(read(entryOf(bytes, filler)).ok);
    const over = read(entryOf(32_769, filler));
    assert(!over.ok && over.code === "payload_too_large");
  }
});

Deno.test("readEntry() counts a number at the length that Postgres prints", () => {
  const entryOf = (numbers: number[], bytes: number) => {
    const room = bytes - '{"external_id":"u","name":"n","properties":{"a":[],"b":""}}'.length;
    const printed = numbers.length * 309 + numbers.length - 1;
    return {
      external_id: "u",
      name: "n",
      properties: { a: numbers, b: "x".repeat(room - printed) },
    };
  };
  for (const count of [1, 30, 105]) {
    const numbers = Array(count).fill(1e308);
    assert(read(entryOf(numbers, 32_768)).ok);
    const over = read(entryOf(numbers, 32_769));
    assert(!over.ok && over.code === "payload_too_large");
  }
  const text = ",1e+308".repeat(4600);
  assert(read({ external_id: "u", name: "n", properties: { a: text, b: 1e21 } }).ok);
});

Deno.test("readEntry() treats __proto__ as data in properties and as unknown at the top", () => {
  const inside = JSON.parse('{"external_id":"u","name":"n","properties":{"__proto__":{"x":1}}}');
  const result = read(inside);
  assert(result.ok && result.text.includes('"properties":{"__proto__":{"x":1}}'));
  const atTop = read(JSON.parse('{"external_id":"u","name":"n","__proto__":{"type":"alias"}}'));
  assert(!atTop.ok);
  assert.equal(atTop.details[0]?.field, "__proto__");
  assert.equal(Object.hasOwn(Object.prototype, "x"), false);
});

Deno.test("readEntry() keeps properties exactly as received", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (properties) => {
    const sent = JSON.parse(JSON.stringify({ external_id: "u", name: "n", properties }));
    assert.deepEqual(readText(sent).properties, sent.properties);
  }));
});

Deno.test("readEntry() never throws, for any input", () => {
  const keys = ["type", "external_id", "anon_id", "name", "occurred_at", "context", "attributes"];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("identify", "alias", ...placeholders));
  fc.assert(fc.property(fc.dictionary(fc.constantFrom(...keys), value), (entry) => {
    assert.equal(typeof read(entry).ok, "boolean");
  }));
});
