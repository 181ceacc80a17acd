import assert from "node:assert/strict";
import { createAutomationApp } from "../../supabase/functions/automation/app.ts";
import { createAutomationWorker } from "../../supabase/functions/automation/automation_worker.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";

const key = "sb_secret_dispatch";

const definition = {
  trigger: { event: "signed_up" },
  start: "tag",
  steps: { tag: { update: { attributes: { welcomed: true } } } },
};

Deno.test("POST /automation moves runs as the role signalpost_automation, for those with the key", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const log = createLog({ name: "automation", level: "error", write: (line) => assert.fail(line) });
  const sql = connectDatabase({
    url: db.url,
    role: "signalpost_automation",
    applicationName: "automation-test",
  });
  await using _closed = { [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }) };
  const worker = createAutomationWorker({
    sql,
    log,
    now: () => new Date(),
    limits: { lingerMs: 0, horizonMs: 0 },
  });
  const works: Promise<void>[] = [];
  const app = createAutomationApp({
    sql,
    cells: new Map([["00", sql]]),
    worker,
    dispatchKey: key,
    waitUntil: (work: Promise<void>) => works.push(work),
    log,
  } as never);
  const [row] = await db.sql<{ id: string }[]>`
    select private.insert_journey(${workspaceId}, ${db.sql.json({ name: "x", definition })}) as id`;
  await db.sql`
    select private.make_version(${workspaceId}, ${row!.id}, ${db.sql.json({ definition })})`;
  await ingestEntries(db.sql, [{
    workspace_id: workspaceId,
    kind: "event",
    external_id: "user-1",
    name: "signed_up",
  } as never]);
  await db.sql`select private.fold_segments()`;

  const refused = await app.request("/automation", { method: "POST" });
  assert.equal(refused.status, 401);
  const accepted = await app.request("/automation", { method: "POST", headers: { apikey: key } });
  assert.equal(accepted.status, 202);
  await Promise.all(works);
  const [customer] = await db.sql`select attributes from public.customers`;
  assert.deepEqual(customer!.attributes, { welcomed: true });
  const [run] = await db.sql`select state, reason from public.journey_runs`;
  assert.deepEqual({ ...run }, { state: "ended", reason: "completed" });

  const simulate = (journeyId: string) =>
    app.request("/automation/simulate", {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json" },
      body: JSON.stringify({
        workspace_id: workspaceId,
        journey_id: journeyId,
        definition,
        profile: {},
        until: new Date(Date.now() + 60_000).toISOString(),
      }),
    });
  const simulated = await simulate(row!.id);
  assert.equal(simulated.status, 200);
  const { path, reason } = await simulated.json();
  assert.deepEqual(path.map(({ step }: { step: string }) => step), ["tag"]);
  assert.equal(reason, "completed");
  assert.equal((await simulate(crypto.randomUUID())).status, 404);
});
