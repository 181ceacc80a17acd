import assert from "node:assert/strict";
import { nameMigration } from "../../tools/new_migration.ts";

const now = new Date("2026-11-21T09:30:05.123Z");

Deno.test("nameMigration() starts with the time in UTC, to the second", () => {
  assert.equal(nameMigration("create_things", now), "20261121093005_create_things.sql");
});

Deno.test("nameMigration() refuses what is no verb and noun in snake case", () => {
  for (const name of ["", "things", "Create_Things", "create-things", "create_things.sql"]) {
    assert.throws(() => nameMigration(name, now), /Cannot create migration/);
  }
});
