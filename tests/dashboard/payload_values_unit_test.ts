import assert from "node:assert/strict";
import {
  listFields,
  listUses,
  listValues,
} from "../../dashboard/src/pages/sources/payload_values.ts";

const event = { type: "paid", user: { "a/b~c": 7 }, tags: ["new"], gone: null };

Deno.test("listValues() names every value of an event by its JSON Pointer", () => {
  const values = listValues(event, undefined);
  assert.deepEqual(values.map(({ pointer, kind }) => [pointer, kind]), [
    ["", "object"],
    ["/type", "single"],
    ["/user", "object"],
    ["/user/a~1b~0c", "single"],
    ["/tags", "list"],
    ["/tags/0", "single"],
    ["/gone", "single"],
  ]);
  assert.deepEqual(values.at(3), {
    pointer: "/user/a~1b~0c",
    path: "user.a/b~c",
    kind: "single",
    text: "7",
  });
});

Deno.test("listValues() starts at one event of a list", () => {
  const pointersOf = (payload: unknown, items?: string) =>
    listValues(payload, items).map(({ pointer }) => pointer);
  assert.deepEqual(pointersOf([{ type: "paid" }, { other: 1 }]), ["", "/type"]);
  assert.deepEqual(pointersOf({ all: { events: [{ type: "paid" }] } }, "/all/events"), [
    "/all/events",
    "",
    "/type",
  ]);
  assert.deepEqual(pointersOf("text"), []);
  assert.deepEqual(pointersOf({ events: [] }, "/events"), []);
});

Deno.test("listUses() finds the fields that read a value, listFields() those that can", () => {
  const [whole, type, user] = listValues(event, undefined);
  const mapping = { name: "/type", idempotency_key: "/type", properties: "" };
  assert.deepEqual(listUses(whole!, mapping), ["properties"]);
  assert.deepEqual(listUses(type!, mapping), ["name", "idempotency_key"]);
  assert.deepEqual(listFields(user!, false), ["properties"]);
  assert.deepEqual(listFields(user!, true), []);
  assert.deepEqual(listFields(type!, true), ["external_id", "anon_id", "email"]);
});
