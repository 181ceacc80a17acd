import { fileURLToPath } from "node:url";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createHandOver } from "../../supabase/functions/send-dispatch/providers/hand_over.ts";
import { createSendWorker } from "../../supabase/functions/send-dispatch/send_worker.ts";
import { connectSend, linksUrl, type SendWorld } from "./send_world.ts";

/**
 * Starts a worker of send-dispatch as a process of its own, which a test may kill.
 *
 * @param smtpCa certificate authorities in PEM that SMTP trusts. @default those of Deno
 */
export function spawnSender(world: SendWorld, smtpCa = ""): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(import.meta.url)],
    env: {
      TEST_SEND_URL: world.db.url,
      TEST_SEND_KEY: world.encryptionKey,
      TEST_SEND_CA: smtpCa,
    },
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

async function main(): Promise<void> {
  const allowed = parseAllowedCidrs("127.0.0.0/8");
  const ca = Deno.env.get("TEST_SEND_CA");
  const worker = createSendWorker({
    sql: connectSend(Deno.env.get("TEST_SEND_URL")!),
    handOver: createHandOver({
      http: createGuardedFetch({ allowed }),
      smtp: {
        allowed,
        resolve: () => Promise.resolve(["127.0.0.1"]),
        ...(ca ? { ca } : {}),
      },
      inboxPort: undefined,
    }),
    secrets: await createSecretBox(Deno.env.get("TEST_SEND_KEY")!),
    linksUrl,
    log: createLog({ name: "send-dispatch" }),
    now: () => new Date(),
    random: Math.random,
  });
  await worker.wake();
}

if (import.meta.main) await main();
