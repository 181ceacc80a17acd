import { readConfig } from "../_shared/config/config.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createCompileApp } from "./app.ts";
import { compileConfig } from "./config.ts";

const config = readConfig(compileConfig);

const app = createCompileApp({
  dispatchKey: config.SUPABASE_SECRET_KEYS.dispatch,
  log: createFunctionLog("compile-mjml", config.LOG_LEVEL),
});

export default { fetch: app.fetch };
