import { readConfig } from "../_shared/config/config.ts";
import { connectCells } from "../_shared/db/connect.ts";
import { runLater } from "../_shared/event_loop/run_later.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createGuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { createSecretBox } from "../_shared/secrets/secrets.ts";
import { createInboundApp } from "./app.ts";
import { inboundConfig } from "./config.ts";

const config = readConfig(inboundConfig);

const app = createInboundApp({
  ...connectCells(config, { role: "signalpost_ingest", applicationName: "signalpost-inbound" }),
  // A certificate is longer than the stored part of a destination's response.
  fetch: createGuardedFetch({ snippetBytes: 16 * 1024 }),
  baseUrl: config.SUPABASE_URL,
  secrets: await createSecretBox(config.SECRETS_ENCRYPTION_KEY),
  now: () => new Date(),
  log: createFunctionLog("inbound", config.LOG_LEVEL),
  schedule: runLater,
});

export default { fetch: app.fetch };
