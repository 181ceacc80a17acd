import assert from "node:assert/strict";
import fc from "fast-check";
import { keepResponseHeaders } from "../../supabase/functions/_shared/outbound/response_headers.ts";

const encoder = new TextEncoder();

Deno.test("keepResponseHeaders() joins the values of a name and hides cookies", () => {
  const received = {
    "content-type": "text/plain",
    via: ["1.1 one", "1.1 two"],
    "set-cookie": ["session=secret", "csrf=secret"],
  };
  assert.deepEqual(keepResponseHeaders(received), {
    "content-type": "text/plain",
    via: "1.1 one, 1.1 two",
    "set-cookie": "…",
  });
  assert.deepEqual(keepResponseHeaders({ "set-cookie": "session=secret" }), { "set-cookie": "…" });
});

Deno.test("keepResponseHeaders() keeps 50 headers, and not the 51st", () => {
  const received = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, "1"]));
  const kept = Object.keys(keepResponseHeaders(received));
  assert.deepEqual(kept, Object.keys(received).slice(0, 50));
});

Deno.test("keepResponseHeaders() keeps 2 KiB of names and values, in whole headers", () => {
  const rest = 2048 - "x-a1".length - "x-b".length;
  const fits = { "x-a": "1", "x-b": "b".repeat(rest) };
  assert.deepEqual(keepResponseHeaders(fits), fits);
  // The third header would still fit, but comes after one that does not.
  const exceeds = { "x-a": "1", "x-b": "b".repeat(rest + 1), "x-c": "1" };
  assert.deepEqual(keepResponseHeaders(exceeds), { "x-a": "1" });
});

Deno.test("keepResponseHeaders() returns text that Postgres can store, for any bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 64 }).map((value) => String.fromCharCode(...value));
  fc.assert(fc.property(bytes, (value) => {
    const kept = keepResponseHeaders({ "x-a": value })["x-a"]!;
    assert(kept.isWellFormed() && !kept.includes("\0"));
  }));
  const asReceived = String.fromCharCode(...encoder.encode("a€"));
  assert.deepEqual(keepResponseHeaders({ "x-a": asReceived, "x-b": "\0\xff" }), {
    "x-a": "a€",
    "x-b": "\ufffd\ufffd",
  });
});

Deno.test("keepResponseHeaders() counts bytes as they are stored", () => {
  // A replacement character has three bytes, and the byte it replaces one.
  const most = Math.floor((2048 - "x".length) / 3);
  assert.deepEqual(Object.keys(keepResponseHeaders({ x: "\xff".repeat(most) })), ["x"]);
  assert.deepEqual(keepResponseHeaders({ x: "\xff".repeat(most + 1) }), {});
});

Deno.test("keepResponseHeaders() masks API keys and keeps names of built-in properties", () => {
  const key = `pk_${"a".repeat(40)}`;
  const received = Object.fromEntries([["__proto__", key], ["constructor", "x"]]);
  const kept = Object.entries(keepResponseHeaders(received));
  assert.deepEqual(kept, [["__proto__", "pk_…aaaa"], ["constructor", "x"]]);
});
