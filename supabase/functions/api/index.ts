import { readConfig } from "../_shared/config/config.ts";
import { connectCells } from "../_shared/db/connect.ts";
import { runLater } from "../_shared/event_loop/run_later.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createApiApp } from "./app.ts";
import { apiConfig } from "./config.ts";
import { createMjmlCompiler } from "./kernel/mjml_compiler.ts";
import { createSenderTester } from "./kernel/sender_tester.ts";
import { createSimulator } from "./kernel/simulator.ts";
import { createTextLookup } from "./kernel/text_lookup.ts";

const config = readConfig(apiConfig);
const service = {
  functionsUrl: `${config.SUPABASE_URL}/functions/v1`,
  key: config.SUPABASE_SECRET_KEYS?.dispatch,
};

const app = await createApiApp({
  ...connectCells(config, {
    // Without the caller's settings, this role sees no rows.
    role: "signalpost_key",
    setRoles: ["signalpost_user"],
    applicationName: "signalpost-api",
  }),
  now: () => new Date(),
  log: createFunctionLog("api", config.LOG_LEVEL),
  schedule: runLater,
  compileMjml: createMjmlCompiler(service),
  testSender: createSenderTester(service),
  simulate: createSimulator(service),
  lookUpText: createTextLookup(),
  config: {
    supabaseUrl: config.SUPABASE_URL,
    jwks: config.SUPABASE_JWKS,
    issuer: config.AUTH_ISSUER,
    secretsEncryptionKey: config.SECRETS_ENCRYPTION_KEY,
    allowedRanges: config.DESTINATION_ALLOWED_CIDRS,
    isHosted: config.SB_REGION !== undefined,
    hasInbox: config.INBOX_SMTP_PORT !== undefined,
  },
});

export default { fetch: app.fetch };
