import { fileURLToPath } from "node:url";
import { createAutomationWorker } from "../../supabase/functions/automation/automation_worker.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";

/** Starts a worker of automation as a process of its own, which a test may kill. */
export function spawnAutomation(databaseUrl: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(import.meta.url)],
    env: { TEST_AUTOMATION_URL: databaseUrl },
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

async function main(): Promise<void> {
  const sql = connectDatabase({
    url: Deno.env.get("TEST_AUTOMATION_URL")!,
    role: "signalpost_automation",
    applicationName: "automation-test",
  });
  const log = createLog({ name: "automation" });
  // Small claims, so that a kill hits many of them.
  const limits = { maxHeld: 20 };
  await createAutomationWorker({ sql, log, now: () => new Date(), limits }).wake();
}

if (import.meta.main) await main();
