import { mapCells } from "../_shared/config/cells.ts";
import { readConfig } from "../_shared/config/config.ts";
import { connectCells, listCells, type Sql } from "../_shared/db/connect.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createListener } from "../_shared/work/listener.ts";
import { createAutomationApp } from "./app.ts";
import { combineWorkers } from "../_shared/work/combine_workers.ts";
import { createAutomationWorker, maxHeldOfAll, runLimits } from "./automation_worker.ts";
import { automationConfig } from "./config.ts";
import { runChannel } from "./run_queue.ts";

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const config = readConfig(automationConfig);
const log = createFunctionLog("automation", config.LOG_LEVEL);

const databases = connectCells(config, {
  role: "signalpost_automation",
  applicationName: "signalpost-automation",
});
const cells = listCells(databases);

const startWorker = (sql: Sql) =>
  createAutomationWorker({
    sql,
    log,
    now: () => new Date(),
    listen: (tell) => createListener(sql, { channel: runChannel, tell }),
    limits: {
      maxItems: Math.ceil(runLimits.maxItems / cells.size),
      maxHeld: Math.min(runLimits.maxHeld, Math.ceil(maxHeldOfAll / cells.size)),
    },
  });

const worker = combineWorkers(mapCells(cells, startWorker));

// The platform ends instances after a fixed time: claimed runs are given back.
addEventListener("beforeunload", () => void worker.stop());

const app = createAutomationApp({
  ...databases,
  worker,
  dispatchKey: config.SUPABASE_SECRET_KEYS.dispatch,
  // Without a platform that ends processes early, work simply continues.
  waitUntil: (work) => typeof EdgeRuntime === "undefined" ? void work : EdgeRuntime.waitUntil(work),
  log,
});

export default { fetch: app.fetch };
