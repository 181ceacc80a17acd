import assert from "node:assert/strict";
import {
  createSourceId,
  readSourceCell,
} from "../../supabase/functions/_shared/sources/source_ids.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";

const at = new Date("2026-11-22T12:00:00.000Z");

Deno.test("createSourceId() makes version 7 UUIDs that sort by time and name their cell", () => {
  const id = createSourceId("a7", at);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7a7[0-9a-f]-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(id.slice(0, 13), createUuidV7(at).slice(0, 13));
  assert.equal(readSourceCell(id), "a7");
});

Deno.test("readSourceCell() returns the first cell for other ids", () => {
  for (let i = 0; i < 100; i++) assert.equal(readSourceCell(createUuidV7(at)), "00");
  assert.equal(readSourceCell(""), "00");
  assert.equal(readSourceCell("7a7"), "00");
  const id = createSourceId("a7", at);
  assert.equal(readSourceCell(id.replace("-7a7", "-7a8")), "00");
});

Deno.test("createSourceId() refuses a cell that does not fit", () => {
  assert.throws(() => createSourceId("x7", at), /Cannot create source id: "x7" is not a cell/);
});
