import assert from "node:assert/strict";
import { z } from "zod";
import { apiConfig } from "../../supabase/functions/api/config.ts";
import {
  databaseVariables,
  logVariables,
  readConfig,
} from "../../supabase/functions/_shared/config/config.ts";
import { automationConfig } from "../../supabase/functions/automation/config.ts";
import { compileConfig } from "../../supabase/functions/compile-mjml/config.ts";
import { inboundConfig } from "../../supabase/functions/inbound/config.ts";
import { sendConfig } from "../../supabase/functions/send-dispatch/config.ts";
import { dispatchConfig } from "../../supabase/functions/webhook-dispatch/config.ts";

const schema = z.object({ ...databaseVariables, ...logVariables });

Deno.test("readConfig() returns a frozen record with defaults", () => {
  const config = readConfig(schema, { SUPABASE_DB_URL: "postgres://x", LOG_LEVEL: "", OTHER: "y" });
  assert.deepEqual(config, { SUPABASE_DB_URL: "postgres://x", LOG_LEVEL: "info" });
  assert(Object.isFrozen(config));
});

Deno.test("readConfig() names every missing or malformed variable, and no value", () => {
  const env = { SUPABASE_DB_URL: "mysql://user:secret@host", LOG_LEVEL: "secret" };
  assert.throws(() => readConfig(schema, env), (error) => {
    return error instanceof TypeError && /"SUPABASE_DB_URL".*"LOG_LEVEL"/.test(error.message) &&
      !error.message.includes("secret");
  });
  assert.throws(() => readConfig(schema, {}), /"SUPABASE_DB_URL" is not set/);
});

const whole = {
  SUPABASE_DB_URL: "postgres://x",
  SUPABASE_URL: "https://x.supabase.co",
  SUPABASE_SECRET_KEYS: '{"dispatch":"sb_secret_x"}',
  SECRETS_ENCRYPTION_KEY: "x",
};

type Env = Record<string, string>;

Deno.test("readConfig() parses DESTINATION_ALLOWED_CIDRS alike for every function", () => {
  const readers = [
    (env: Env) => readConfig(apiConfig, env),
    (env: Env) => readConfig(dispatchConfig, env),
    (env: Env) => readConfig(sendConfig, env),
  ];
  for (const read of readers) {
    const readRanges = (text: string) =>
      read({ ...whole, DESTINATION_ALLOWED_CIDRS: text }).DESTINATION_ALLOWED_CIDRS;
    assert.deepEqual(readRanges(""), []);
    assert.deepEqual(readRanges("10.0.0.0/8, ::1/128").map(([, bits]) => bits), [8, 128]);
    assert.throws(() => readRanges("10.0.0.0/8,secret"), {
      name: "TypeError",
      message: 'Cannot start: "DESTINATION_ALLOWED_CIDRS" must be CIDRs, separated by commas',
    });
  }
});

Deno.test("readConfig() requires the encryption key for every function that stores secrets", () => {
  const env = { ...whole, SECRETS_ENCRYPTION_KEY: "" };
  const readers = [
    () => readConfig(apiConfig, env),
    () => readConfig(inboundConfig, env),
    () => readConfig(dispatchConfig, env),
  ];
  for (const read of readers) {
    assert.throws(read, { message: 'Cannot start: "SECRETS_ENCRYPTION_KEY" is not set' });
  }
});

Deno.test("readConfig() requires the key named dispatch of the functions that accept it, not of the api", () => {
  const readApiKey = (keys: string) =>
    readConfig(apiConfig, { ...whole, SUPABASE_SECRET_KEYS: keys }).SUPABASE_SECRET_KEYS?.dispatch;
  assert.equal(readApiKey(whole.SUPABASE_SECRET_KEYS), "sb_secret_x");
  for (const keys of ['{"default":"sb_secret_y"}', '{"dispatch":""}', "null", "x"]) {
    assert.equal(readApiKey(keys), undefined);
    for (const schema of [automationConfig, compileConfig, dispatchConfig, sendConfig]) {
      assert.throws(() => readConfig(schema, { ...whole, SUPABASE_SECRET_KEYS: keys }), {
        message:
          'Cannot start: "SUPABASE_SECRET_KEYS" must be JSON and have a key named "dispatch"',
      });
    }
  }
  assert.equal(readApiKey(""), undefined);
});
