import { readConfig } from "../_shared/config.ts";
import { connectDatabase } from "../_shared/db/connect.ts";
import { createLog } from "../_shared/log.ts";
import { createTrackApp } from "./app.ts";
import { trackConfig } from "./config.ts";

const config = readConfig(trackConfig);

const app = createTrackApp({
  sql: connectDatabase({
    url: config.SUPABASE_DB_URL,
    role: "signalpost_ingest",
    applicationName: "signalpost-track",
  }),
  now: () => new Date(),
  log: createLog({ name: "track", level: config.LOG_LEVEL }),
});

export default { fetch: app.fetch };
