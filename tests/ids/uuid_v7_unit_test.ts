import assert from "node:assert/strict";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";

Deno.test("createUuidV7() contains the millisecond, version 7 and the variant", () => {
  const id = createUuidV7(new Date("2026-11-21T01:02:03.456Z"));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const ms = parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  assert.equal(new Date(ms).toISOString(), "2026-11-21T01:02:03.456Z");
});

Deno.test("createUuidV7() sorts by time and never repeats", () => {
  const ids = [1, 2, 3].map((ms) => createUuidV7(new Date(ms)));
  assert.deepEqual(ids.toSorted(), ids);
  const same = Array.from({ length: 1_000 }, () => createUuidV7(new Date(1)));
  assert.equal(new Set(same).size, 1_000);
});
