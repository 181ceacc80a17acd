import assert from "node:assert/strict";
import { z } from "zod";
import {
  databaseVariables,
  logVariables,
  readConfig,
} from "../../supabase/functions/_shared/config.ts";

const schema = z.object({ ...databaseVariables, ...logVariables });

Deno.test("readConfig() returns what is set, defaults for the rest, frozen", () => {
  const config = readConfig(schema, { SUPABASE_DB_URL: "postgres://x", LOG_LEVEL: "", OTHER: "y" });
  assert.deepEqual(config, { SUPABASE_DB_URL: "postgres://x", LOG_LEVEL: "info" });
  assert(Object.isFrozen(config));
});

Deno.test("readConfig() names every variable that is missing or malformed, and no value", () => {
  const env = { SUPABASE_DB_URL: "mysql://user:secret@host", LOG_LEVEL: "secret" };
  assert.throws(() => readConfig(schema, env), (error) => {
    return error instanceof TypeError && /"SUPABASE_DB_URL".*"LOG_LEVEL"/.test(error.message) &&
      !error.message.includes("secret");
  });
  assert.throws(() => readConfig(schema, {}), /"SUPABASE_DB_URL" is not set/);
});
