import { mapCells } from "../_shared/config/cells.ts";
import { readConfig } from "../_shared/config/config.ts";
import { connectCells, listCells, type Sql } from "../_shared/db/connect.ts";
import { createFunctionLog } from "../_shared/log/function_log.ts";
import { createGuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import { cacheResolveHost, resolveSystemHost } from "../_shared/outbound/resolve_host.ts";
import { createSecretBox } from "../_shared/secrets/secrets.ts";
import { combineWorkers } from "../_shared/work/combine_workers.ts";
import { createListener } from "../_shared/work/listener.ts";
import { createSendApp } from "./app.ts";
import { sendConfig } from "./config.ts";
import { createHandOver } from "./providers/hand_over.ts";
import { workChannel } from "./send_queue.ts";
import { createSendWorker } from "./send_worker.ts";
import { createSenderTester } from "./test_sender.ts";

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const config = readConfig(sendConfig);
const log = createFunctionLog("send-dispatch", config.LOG_LEVEL);

const databases = connectCells(config, {
  role: "signalpost_send",
  applicationName: "signalpost-send",
});
const cells = listCells(databases);
const allowed = config.DESTINATION_ALLOWED_CIDRS;
const resolve = cacheResolveHost(resolveSystemHost);
const shared = {
  handOver: createHandOver({
    http: createGuardedFetch({ allowed, resolve }),
    smtp: { allowed, resolve },
    inboxPort: config.INBOX_SMTP_PORT,
  }),
  linksUrl: config.LINKS_URL ?? new URL("/functions/v1/links", config.SUPABASE_URL).href,
  secrets: await createSecretBox(config.SECRETS_ENCRYPTION_KEY),
  log,
  now: () => new Date(),
  random: Math.random,
};

const startWorker = (sql: Sql) =>
  createSendWorker({
    ...shared,
    sql,
    listen: (tell) => createListener(sql, { channel: workChannel, tell }),
    // The platform gives a request 2 s of processor time and an instance 256 MiB. A message takes
    // about 1 ms, and its customer up to 32 KiB.
    limits: {
      maxItems: Math.ceil(1_000 / cells.size),
      maxHeld: Math.ceil(500 / cells.size),
    },
  });

const worker = combineWorkers(mapCells(cells, startWorker));

// The platform ends instances after a fixed time: waiting messages are released instead of waiting
// for their lease to expire.
addEventListener("beforeunload", () => void worker.stop());

const app = createSendApp({
  ...databases,
  worker,
  testSender: createSenderTester({
    cells,
    secretBox: shared.secrets,
    handOver: shared.handOver,
    now: shared.now,
  }),
  dispatchKey: config.SUPABASE_SECRET_KEYS.dispatch,
  // Without a platform that ends processes early, work simply continues.
  waitUntil: (work) => typeof EdgeRuntime === "undefined" ? void work : EdgeRuntime.waitUntil(work),
  log,
});

export default { fetch: app.fetch };
