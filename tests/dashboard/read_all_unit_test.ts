import assert from "node:assert/strict";
import { readAll } from "../../dashboard/src/api/read_all.ts";

Deno.test("readAll() follows the cursor to the last page", async () => {
  const asked: unknown[] = [];
  const rows = await readAll((query) => {
    asked.push(query);
    const next = { "": "a", a: "b", b: null }[query.cursor ?? ""] ?? null;
    return Promise.resolve({ data: [asked.length], next_cursor: next });
  });
  assert.deepEqual(rows, [1, 2, 3]);
  assert.deepEqual(asked, [{ limit: 200 }, { limit: 200, cursor: "a" }, {
    limit: 200,
    cursor: "b",
  }]);
});

Deno.test("readAll() fails when a page fails", async () => {
  await assert.rejects(readAll(() => Promise.reject(new Error("offline"))), /offline/);
});
