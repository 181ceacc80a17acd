import { readConfig } from "../_shared/config/config.ts";
import { connectCells } from "../_shared/db/connect.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createApiApp } from "./app.ts";
import { apiConfig } from "./config.ts";
import { createMjmlCompiler } from "./kernel/mjml_compiler.ts";

const config = readConfig(apiConfig);

const app = await createApiApp({
  ...connectCells(config, {
    // Without the caller's settings, this role sees no rows.
    role: "signalpost_key",
    setRoles: ["signalpost_user"],
    applicationName: "signalpost-api",
  }),
  now: () => new Date(),
  log: createFunctionLog("api", config.LOG_LEVEL),
  compileMjml: createMjmlCompiler({
    functionsUrl: `${config.SUPABASE_URL}/functions/v1`,
    key: config.SUPABASE_SECRET_KEYS?.dispatch,
  }),
  config: {
    supabaseUrl: config.SUPABASE_URL,
    jwks: config.SUPABASE_JWKS,
    issuer: config.AUTH_ISSUER,
    secretsEncryptionKey: config.SECRETS_ENCRYPTION_KEY,
    allowedRanges: config.DESTINATION_ALLOWED_CIDRS,
  },
});

export default { fetch: app.fetch };
