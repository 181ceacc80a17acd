import assert from "node:assert/strict";
import type postgres from "postgres";
import { routes } from "../../supabase/functions/api/routes.ts";
import { listApiReads } from "../support/api_reads.ts";
import { createApiWorld } from "../support/api_world.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillLargeWorkspace } from "../support/large_workspace.ts";

/** Large enough that a plan which reads a whole table is not the cheapest by chance. */
const size = { events: 60_000, customers: 12_000, deliveries: 30_000 };

/** Reads of tables that stay small in every workspace, and those that need no data to be asked. */
const unasked = ["getJob", "getSource", "listReceipts", "getReceipt", "getRejectedEntry"];

const large = ["customers", "identities", "events", "webhook_messages", "deliveries"];

/** How often each large table, or a partition of it, was read from start to end. */
async function countScans(sql: postgres.Sql): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; scans: number }[]>`
    select s.relname as name, coalesce(s.seq_scan, 0)::integer as scans
    from pg_stat_all_tables as s
    where s.schemaname in ('public', 'private')
      and s.relname ~ ${`^(${large.join("|")})(_\\d{8}|_default)?$`}
      -- Few pages are read fastest as they are: those of a partition that has just begun.
      and exists (select from pg_class as c where c.oid = s.relid and c.relpages > 10)`;
  return new Map(rows.map(({ name, scans }) => [name, scans]));
}

async function fillWorkspace(db: TestDatabase) {
  await using world = await createApiWorld({ db });
  return await fillLargeWorkspace(world.sql, { workspaceId: world.workspaceId, size });
}

Deno.test("no read of the api scans a large table", async (t) => {
  await using db = await createTestDatabase();
  const filled = await fillWorkspace(db);
  const { workspaceId } = filled;
  for (const { operationId, title, path } of listApiReads(filled)) {
    await t.step(`${operationId} ${title}`, async () => {
      const before = await countScans(db.sql);
      {
        // An instance of its own: statistics are complete when its connections have ended.
        await using world = await createApiWorld({ db });
        const token = await world.signInAs("admin", workspaceId);
        // Often enough that a prepared statement gets its generic plan.
        for (let n = 0; n < 12; n++) {
          const answer = await world.send({ path: path(n), token, workspaceId });
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
        }
      }
      const after = await countScans(db.sql);
      for (const [name, scans] of after) {
        assert.equal(scans - (before.get(name) ?? 0), 0, `sequential scans of "${name}"`);
      }
    });
  }
});

Deno.test("every read of the api is among those whose plans are looked at", () => {
  const nothing = {
    workspaceId: "",
    customerIds: [],
    busiestId: "",
    eventIds: [],
    destinationIds: [],
    deliveryIds: [],
  };
  const looked = new Set(listApiReads(nothing).map(({ operationId }) => operationId));
  const reads = routes.filter(({ method }) => method === "GET");
  const missing = reads.map(({ operationId }) => operationId).filter((name) => !looked.has(name));
  assert.deepEqual(missing.toSorted(), unasked.toSorted());
});
