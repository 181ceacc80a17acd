import assert from "node:assert/strict";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import {
  explainStatements,
  type PlanNode,
  readNotice,
} from "../../testing/query_plans/query_plan.ts";

const bulk = 200;

Deno.test("a bulk reads no other keys, even with a plan from when few keys were recent", async () => {
  await using db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  await db.sql`
    insert into private.idempotency_keys (workspace_id, key, event_id, customer_id, created_at)
    select ${workspaceId}, 'old-' || n, gen_random_uuid(), gen_random_uuid(), now() - interval '2 days'
    from generate_series(1, 5000) as n`;
  await db.sql`analyze private.idempotency_keys`;
  await explainStatements(db, "auto");
  const plans: PlanNode[] = [];
  const sql = connectDatabase({
    url: db.url,
    applicationName: "test",
    max: 1,
    onNotice: (notice) => plans.push(...readNotice(notice).map(({ Plan }) => Plan)),
  });
  await using _ = { [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) };
  const ingest = (count: number) =>
    ingestEntries(
      sql,
      Array.from({ length: count }, () => ({
        workspace_id: workspaceId,
        kind: "event" as const,
        external_id: "ada",
        name: "seen",
        idempotency_key: crypto.randomUUID(),
      })),
    );
  // The connection keeps the plan that it makes for single entries.
  for (let n = 0; n < 10; n++) await ingest(1);
  await ingest(bulk);
  plans.length = 0;
  await ingest(bulk);
  const scans = plans.flatMap(listNodes).filter((node) =>
    node["Relation Name"] === "idempotency_keys" && node["Node Type"].includes("Scan")
  );
  assert(scans.length > 0);
  for (const scan of scans) assert.equal(scan["Rows Removed by Filter"] ?? 0, 0);
});

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}
