import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { apiConfig } from "../../supabase/functions/api/config.ts";
import { automationConfig } from "../../supabase/functions/automation/config.ts";
import { compileConfig } from "../../supabase/functions/compile-mjml/config.ts";
import { inboundConfig } from "../../supabase/functions/inbound/config.ts";
import { linksConfig } from "../../supabase/functions/links/config.ts";
import { sendConfig } from "../../supabase/functions/send-dispatch/config.ts";
import { trackConfig } from "../../supabase/functions/track/config.ts";
import { dispatchConfig } from "../../supabase/functions/webhook-dispatch/config.ts";

const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");

Deno.test(".env.example names every variable that a function reads", () => {
  const named = new Set([...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)[ =]/gm)].map((m) => m[1]));
  const read = [
    apiConfig,
    automationConfig,
    compileConfig,
    inboundConfig,
    linksConfig,
    trackConfig,
    dispatchConfig,
    sendConfig,
  ]
    .flatMap((config) => Object.keys(config.shape));
  assert.deepEqual(read.filter((name) => !named.has(name)), []);
});
