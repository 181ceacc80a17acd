import { readConfig } from "../_shared/config/config.ts";
import { connectCells, listCells, type Sql } from "../_shared/db/connect.ts";
import { createGuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { mapCells } from "../_shared/config/cells.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createSecretBox } from "../_shared/secrets/secrets.ts";
import { combineWorkers } from "../_shared/work/combine_workers.ts";
import { createListener } from "../_shared/work/listener.ts";
import { createDispatchApp } from "./app.ts";
import { dispatchConfig } from "./config.ts";
import { workChannel } from "./dispatch_queue.ts";
import { createDispatcher } from "./dispatcher.ts";

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const config = readConfig(dispatchConfig);
const log = createFunctionLog("webhook-dispatch", config.LOG_LEVEL);

const databases = connectCells(config, {
  role: "signalpost_dispatch",
  applicationName: "signalpost-dispatch",
});
const cells = listCells(databases);
const shared = {
  fetch: createGuardedFetch({ allowed: config.DESTINATION_ALLOWED_CIDRS }),
  secrets: await createSecretBox(config.SECRETS_ENCRYPTION_KEY),
  log,
  now: () => new Date(),
  random: Math.random,
};

const startDispatcher = (sql: Sql) =>
  createDispatcher({
    ...shared,
    sql,
    listen: (tell) => createListener(sql, { channel: workChannel, tell }),
    // The platform gives a request 2 s of processor time and an instance 256 MiB. A delivery takes
    // about 0.2 ms, and the largest body 64 KiB.
    limits: {
      maxItems: Math.ceil(5_000 / cells.size),
      maxHeld: Math.ceil(1_000 / cells.size),
    },
  });

const dispatcher = combineWorkers(mapCells(cells, startDispatcher));

// The platform ends instances after a fixed time: waiting deliveries are released instead of
// waiting for their lease to expire.
addEventListener("beforeunload", () => void dispatcher.stop());

const app = createDispatchApp({
  ...databases,
  dispatcher,
  dispatchKey: config.SUPABASE_SECRET_KEYS.dispatch,
  // Without a platform that ends processes early, work simply continues.
  waitUntil: (work) => typeof EdgeRuntime === "undefined" ? void work : EdgeRuntime.waitUntil(work),
  log,
});

export default { fetch: app.fetch };
