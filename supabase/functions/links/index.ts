import { readConfig } from "../_shared/config/config.ts";
import { connectCells } from "../_shared/db/connect.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createLinksApp } from "./app.ts";
import { linksConfig } from "./config.ts";

const config = readConfig(linksConfig);

const app = createLinksApp({
  ...connectCells(config, { role: "signalpost_links", applicationName: "signalpost-links" }),
  now: () => new Date(),
  log: createFunctionLog("links", config.LOG_LEVEL),
  pagesUrl: config.LINK_PAGES_URL,
});

export default { fetch: app.fetch };
