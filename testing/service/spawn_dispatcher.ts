import { fileURLToPath } from "node:url";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { createDispatcher } from "../../supabase/functions/webhook-dispatch/dispatcher.ts";
import { connectDispatch, type DispatchWorld } from "./dispatch_world.ts";

/** Starts a dispatcher as a process of its own, which a test may kill. */
export function spawnDispatcher(world: DispatchWorld): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(import.meta.url)],
    env: { TEST_DISPATCH_URL: world.db.url, TEST_DISPATCH_KEY: world.encryptionKey },
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

async function main(): Promise<void> {
  const dispatcher = createDispatcher({
    sql: connectDispatch(Deno.env.get("TEST_DISPATCH_URL")!),
    fetch: createGuardedFetch({ allowed: parseAllowedCidrs("127.0.0.0/8") }),
    secrets: await createSecretBox(Deno.env.get("TEST_DISPATCH_KEY")!),
    log: createLog({ name: "webhook-dispatch" }),
    now: () => new Date(),
    random: Math.random,
  });
  await dispatcher.wake();
}

if (import.meta.main) await main();
