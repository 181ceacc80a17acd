import { readConfig } from "../_shared/config.ts";
import { connectDatabase } from "../_shared/db/connect.ts";
import { createLog } from "../_shared/log.ts";
import { createSecretBox } from "../_shared/secrets.ts";
import { createInboundApp } from "./app.ts";
import { inboundConfig } from "./config.ts";

const config = readConfig(inboundConfig);

const app = createInboundApp({
  sql: connectDatabase({
    url: config.SUPABASE_DB_URL,
    role: "signalpost_ingest",
    applicationName: "signalpost-inbound",
  }),
  secrets: await createSecretBox(config.SECRETS_ENCRYPTION_KEY),
  now: () => new Date(),
  log: createLog({ name: "inbound", level: config.LOG_LEVEL }),
});

export default { fetch: app.fetch };
