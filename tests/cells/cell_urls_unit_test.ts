import assert from "node:assert/strict";
import { z } from "zod";
import { databaseVariables, readConfig } from "../../supabase/functions/_shared/config/config.ts";

const schema = z.object(databaseVariables);
const first = "postgres://first/db";
const read = (urls: string) =>
  readConfig(schema, { SUPABASE_DB_URL: first, CELL_DATABASE_URLS: urls });

Deno.test("CELL_DATABASE_URLS lists the databases of the other cells", () => {
  const { CELL_DATABASE_URLS } = read('{"0b": "postgres://b/db", "01": "postgresql://a/db"}');
  assert.deepEqual([...CELL_DATABASE_URLS!], [["01", "postgresql://a/db"], [
    "0b",
    "postgres://b/db",
  ]]);
  assert.equal(read("").CELL_DATABASE_URLS, undefined);
});

Deno.test("CELL_DATABASE_URLS is refused without its content if it is malformed", () => {
  const malformed = [
    "postgres://a/db",
    '{"1": "postgres://secret/db"}',
    '{"0A": "postgres://secret/db"}',
    '{"00": "postgres://secret/db"}',
    '{"01": "https://secret"}',
  ];
  for (const text of malformed) {
    assert.throws(() => read(text), (error: Error) => {
      assert.match(error.message, /"CELL_DATABASE_URLS" must be JSON like/);
      return !error.message.includes("secret");
    });
  }
});
