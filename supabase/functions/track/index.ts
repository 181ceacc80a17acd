import { readConfig } from "../_shared/config/config.ts";
import { connectCells } from "../_shared/db/connect.ts";
import { runLater } from "../_shared/event_loop/run_later.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createTrackApp } from "./app.ts";
import { trackConfig } from "./config.ts";

const config = readConfig(trackConfig);

const app = createTrackApp({
  ...connectCells(config, { role: "signalpost_ingest", applicationName: "signalpost-track" }),
  now: () => new Date(),
  log: createFunctionLog("track", config.LOG_LEVEL),
  schedule: runLater,
  supabaseUrl: config.SUPABASE_URL,
});

export default { fetch: app.fetch };
