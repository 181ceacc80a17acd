// The dispatcher in a process of its own, as a function instance is; woken by NOTIFY.
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { connectDatabase, type Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { listenForWork } from "../../local/listen_for_work.ts";
import { createListener } from "../../supabase/functions/_shared/work/listener.ts";
import { workChannel } from "../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createDispatcher } from "../../supabase/functions/webhook-dispatch/dispatcher.ts";
import { print } from "./table.ts";

/** Given as JSON in the first argument. */
export interface WorkerOptions {
  databaseUrl: string;
  encryptionKey: string;
  /** Called only over pg_net's stand-in, in runs a tenth as long as on the platform. */
  isHosted?: boolean;
}

/** Sent by its control address. */
export interface WorkerUse {
  /** Of all kinds, since the start. */
  statements: number;
  /** Of the dispatcher, over HTTP or by NOTIFY. */
  calls: number;
}

const tenth = { maxRunMs: 10_000, maxItems: 500, maxHeld: 1_000 };

if (import.meta.main) await runWorker(JSON.parse(Deno.args[0] ?? ""));

async function runWorker({ databaseUrl, encryptionKey, isHosted }: WorkerOptions): Promise<void> {
  const connect = (applicationName: string) =>
    connectDatabase({ url: databaseUrl, role: "signalpost_dispatch", applicationName });
  const counted = countStatements(connect("bench-dispatch"));
  const dispatcher = createDispatcher({
    sql: counted.sql,
    fetch: createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") }),
    secrets: await createSecretBox(encryptionKey),
    // A line a delivery is written as in production, and thrown away.
    log: createLog({ name: "webhook-dispatch", write: () => {} }),
    now: () => new Date(),
    random: Math.random,
    ...(isHosted
      ? {
        limits: tenth,
        listen: (tell: () => void) =>
          createListener(connect("bench-listener"), { channel: workChannel, tell }),
      }
      : { limits: { maxRunMs: Infinity } }),
  });
  let calls = 0;
  const wake = () => {
    calls++;
    void dispatcher.wake();
  };
  if (isHosted) await connect("bench-listen").listen("posted", wake);
  else await listenForWork(connect("bench-listen"), { channel: workChannel, wake });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    const use: WorkerUse = { statements: counted.count(), calls };
    return Response.json(use);
  });
  print(String(server.addr.port));
}

function countStatements(sql: Sql): { sql: Sql; count: () => number } {
  let count = 0;
  const proxy = new Proxy(sql, {
    apply(target, self, args) {
      count++;
      return Reflect.apply(target, self, args);
    },
  });
  return { sql: proxy, count: () => count };
}
