import assert from "node:assert/strict";
import { describeSchema, snapshotFile } from "../../tools/schema/snapshot.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

Deno.test("the schema of a fresh database is the one in tests/snapshots/schema.sql", async () => {
  await using db = await createTestDatabase();
  const actual = await describeSchema(db.sql);
  const expected = await Deno.readTextFile(snapshotFile);
  assert.equal(actual, expected, "Run deno task db:release and review what changed");
});
