import assert from "node:assert/strict";
import { listChanges } from "../../supabase/functions/api/kernel/changes.ts";

Deno.test("listChanges() compares the given fields of two states", () => {
  const before = { name: "a", tags: ["x"], count: 1, health: { ok: 1 } };
  const after = { name: "b", tags: ["x", "y"], count: 1, health: { ok: 2 } };
  assert.deepEqual(listChanges(["name", "tags", "count", "secret"], { before, after }), {
    name: { before: "a", after: "b" },
    tags: { before: ["x"], after: ["x", "y"] },
  });
  assert.deepEqual(listChanges(["name"], { before: undefined, after }), {});
});

Deno.test("listChanges() cuts URLs after the host, at any depth, and sees that they changed", () => {
  const before = { config: { urls: ["https://a.example/secret"] }, url: "https://a.example" };
  const after = { config: { urls: ["https://a.example/other"] }, url: "https://b.example/?t=1" };
  assert.deepEqual(listChanges(["config", "url"], { before, after }), {
    config: {
      before: { urls: ["https://a.example/…"] },
      after: { urls: ["https://a.example/…"] },
    },
    url: { before: "https://a.example", after: "https://b.example/…" },
  });
});

Deno.test("listChanges() leaves out values over 1,000 characters, and keeps shorter ones", () => {
  const change = (length: number) =>
    listChanges(["text"], { before: { text: "" }, after: { text: "x".repeat(length - 2) } }).text;
  assert.deepEqual(change(1000), { before: "", after: "x".repeat(998) });
  assert.deepEqual(change(1001), { is_too_long: true });
});
