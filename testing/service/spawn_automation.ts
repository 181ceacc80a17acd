import { fileURLToPath } from "node:url";
import { createAutomationWorker } from "../../supabase/functions/automation/automation_worker.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import type { RunLimits } from "../../supabase/functions/_shared/work/work.ts";

/** Starts a worker of automation as a process of its own, which a test may kill. It ends with its run. */
export function spawnAutomation(
  databaseUrl: string,
  limits: Partial<RunLimits> = {},
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(import.meta.url)],
    env: { TEST_AUTOMATION_URL: databaseUrl, TEST_AUTOMATION_LIMITS: JSON.stringify(limits) },
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
  const limits = JSON.parse(Deno.env.get("TEST_AUTOMATION_LIMITS")!);
  await createAutomationWorker({ sql, log, now: () => new Date(), limits }).wake();
  await sql.end();
}

if (import.meta.main) await main();
