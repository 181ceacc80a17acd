import assert from "node:assert/strict";
import { routes } from "../../supabase/functions/api/routes.ts";
import { listApiReads } from "../../testing/access/api_reads.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { callReads, type ExplainedCall } from "../../testing/query_plans/explained_calls.ts";
import { fillLargeWorkspace, type LargeWorkspace } from "../../testing/data/large_workspace.ts";
import type { WorkspaceSize } from "../../testing/data/workspace_size.ts";
import { judgePlan, type Rules } from "../../testing/query_plans/plan_rules.ts";
import type { Explained } from "../../testing/query_plans/query_plan.ts";

/** Sizes so large that a plan which reads a whole table does not happen to be the cheapest. */
const size: WorkspaceSize = {
  events: 60_000,
  customers: 12_000,
  deliveries: 30_000,
  receipts: 12_000,
  rejectedEntries: 6_000,
  auditRows: 5_000,
  backlog: 2_000,
  neighbours: 400,
};

/** The large tables, and how many rows of each one statement may look at. */
const mostRows = {
  // A search looks through the newest 2,000 first.
  "customers": 2_500,
  // A page of 200 customers counts and lists each id.
  "identities": 1_000,
  "customer_merges": 100,
  "device_tokens": 100,
  "events": 500,
  // For a type of event or a customer, a page looks at 1,000 messages.
  "webhook_messages": 1_200,
  // All that a destination missed are counted.
  "missed_messages": size.backlog,
  // A page, and those of the same instant as its first message.
  "canceled_messages": 260,
  // For a rare type among those that failed, all that failed at worst. For a state of messages, a
  // page of each destination, and the first row of each partition.
  "deliveries": 20 * (51 + 31) + 51,
  "inbound_receipts": 500,
  "rejected_entries": 500,
  "audit_log": 500,
  "jobs": 10,
  "rehearsals": 10,
  // One for each message of a page.
  "destinations": 210,
  // All of a workspace are counted.
  "templates": 200,
  "template_versions": 100,
  "topics": 100,
  // All of a workspace, for those of one list.
  "views": 200,
  "journeys": 100,
  "journey_versions": 100,
  // Those inside are counted.
  "journey_runs": 700,
  "run_steps": 1_000,
  // By version, step and kind, of one journey.
  "journey_stats": 500,
  "segments": 100,
  // One state of all.
  "campaigns": 301,
  "campaign_counts": 201 * 72,
  // No workspace has more rules. Those that are open are counted for each of a page.
  "alert_rules": 101,
  "alerts": 300,
  "segment_members": 501,
  // By the hour and day, of one segment.
  "segment_stats": 91 * 24,
  "segment_changes": 500,
  "sends": 500,
  "senders": 51,
  "send_queue": size.backlog,
  // A day by the hour, of a page of senders.
  "sender_stats": 50 * 25,
  // A page of the export.
  "suppressions": 1_001,
  "inbound_sources": 100,
  "lanes": 210,
  // All that waits for one destination is counted.
  "webhook_queue": size.backlog,
  // By the hour and day, of the time that is asked for and no other workspace.
  "usage_stats": 91 * 24,
  "delivery_stats": 31 * 24 * 20,
  "delivery_durations": 31 * 24 * 21,
  "rejected_entry_stats": 91,
  // By the hour and caller, of the time that is asked for.
  "throttle_stats": 91 * 24 * 2,
  // No workspace has more.
  "event_names": 1_000,
  "event_name_stats": 91 * 41,
  "event_definitions": 940,
  "event_samples": 1,
  // All of each name of a page are compared with what is expected.
  "event_properties": 201 * 20,
  // A page, for one user.
  "sessions": 51,
  "workspaces": 100,
  // Made by hand.
  "workspace_members": 500,
  "invitations": 500,
  "api_keys": 500,
};

/** Most runs of the same statement that one call may make: for each row of a page, say. */
const mostRuns = 51;

async function fillWorkspace(db: TestDatabase): Promise<LargeWorkspace> {
  await using world = await createApiWorld({ db });
  const filled = await fillLargeWorkspace(db.sql, { workspaceId: world.workspaceId, size });
  // What writes or moves a time reads no table: inlined, it is part of the plan that it is called in.
  await db.sql`alter function private.rfc3339 reset search_path`;
  await db.sql`alter function private.attempts_start reset search_path`;
  return filled;
}

async function readRules({ sql }: TestDatabase): Promise<Rules> {
  const rows = await sql<{ name: string; pages: number }[]>`
    select c.relname as name, c.relpages as pages from pg_class as c where c.relispartition`;
  return { mostRows, partitionPages: new Map(rows.map(({ name, pages }) => [name, pages])) };
}

/** The first statement of the caller's transaction, which makes it the caller's. */
function isBeginning({ "Query Text": text }: Explained): boolean {
  return text.includes("set_config(s.key");
}

/** True if a prepared statement was run by its generic plan; inside functions, values have names. */
function isForAllValues({ "Query Text": text, Plan }: Explained): boolean {
  return text.includes("$1") && /\$\d/.test(JSON.stringify(Plan));
}

async function countRows({ sql }: TestDatabase, table: string): Promise<number> {
  const [row] = await sql`
    select sum(c.reltuples)::integer as count from pg_class as c
    where c.relname ~ ${`^${table}(_\\d{8})?$`} and c.relkind = 'r'`;
  return row!.count;
}

/** Problems of these calls of one read. */
function findProblems(calls: readonly ExplainedCall[], rules: Rules): string[] {
  const problems = [
    ...findBadPlans(calls, rules),
    ...calls.flatMap((call) => findRepeated(call.statements)),
  ];
  return [...new Set(problems)];
}

function findBadPlans(calls: readonly ExplainedCall[], rules: Rules): string[] {
  const customCosts = new Map<string, number>();
  for (const { mode, statements } of calls) {
    if (mode === "force_generic_plan") continue;
    for (const { "Query Text": text, Plan } of statements) {
      customCosts.set(text, Math.max(Plan["Total Cost"], customCosts.get(text) ?? 0));
    }
  }
  return calls.flatMap(({ caller, page, mode, statements }) =>
    statements.flatMap((statement) => {
      const { "Query Text": text, Plan } = statement;
      // Postgres takes a generic plan only where it seems no dearer than those for the values.
      const most = 2 * (customCosts.get(text) ?? Infinity) + 50;
      if (mode === "force_generic_plan" && Plan["Total Cost"] > most) return [];
      return judgePlan(statement, rules).flatMap((use) =>
        use.problems.map((problem) =>
          `${problem} (${caller}, page ${page}, ${mode}): ${flat(text)}`
        )
      );
    })
  );
}

/** Statements of functions that run for each row, whether or not it is returned. */
function findRepeated(statements: readonly Explained[]): string[] {
  return [...Map.groupBy(statements, (statement) => statement["Query Text"])]
    .filter(([, runs]) => runs.length > mostRuns)
    .map(([text, runs]) => `${runs.length} runs of: ${flat(text)}`);
}

function flat(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

Deno.test("no read of the api visits more rows of a large table than it returns", async (t) => {
  await using db = await createTestDatabase();
  const filled = await fillWorkspace(db);
  const calls = [
    ...await callReads(db, filled, "force_custom_plan"),
    ...await callReads(db, filled, "force_generic_plan"),
  ];
  const rules = await readRules(db);
  for (const [name, of] of Map.groupBy(calls, ({ read }) => `${read.operationId} ${read.title}`)) {
    await t.step(name, () => assert.deepEqual(findProblems(of, rules), []));
  }
  await t.step("the checked plans include the statements of every call", () => {
    for (const { read, mode, statements } of calls) {
      const own = statements.slice(1 + statements.findLastIndex(isBeginning));
      const seen = own.filter((statement) => judgePlan(statement, rules).length > 0);
      assert(seen.length > 0, `${read.operationId} ${read.title}, ${mode}`);
    }
  });
  await t.step("custom and generic plans are both checked", () => {
    for (const [mode, of] of Map.groupBy(calls, (call) => call.mode)) {
      const isGeneric = of.some(({ statements }) => statements.some(isForAllValues));
      assert.equal(isGeneric, mode === "force_generic_plan", mode);
    }
  });
  await t.step("every large table is large and is read", async () => {
    const read = calls.flatMap(({ statements }) => statements)
      .flatMap((statement) => judgePlan(statement, rules)).map(({ table }) => table);
    assert.deepEqual([...new Set(read)].toSorted(), Object.keys(mostRows).toSorted());
    for (const [table, most] of Object.entries(mostRows)) {
      assert(await countRows(db, table) >= most, table);
    }
  });
});

Deno.test("every read of the api has its plans checked", () => {
  const nothing = {
    workspaceId: "",
    busiestId: "",
    customerIds: [],
    eventIds: [],
    sentEventIds: [],
    destinationIds: [],
    deliveryIds: [],
    messageIds: [],
    jobIds: [],
    rehearsalIds: [],
    sourceIds: [],
    templateIds: [],
    topicIds: [],
    campaignIds: [],
    journeyIds: [],
    runIds: [],
    segmentIds: [],
    senderIds: [],
    sendIds: [],
    receipts: [],
    rejectedEntryIds: [],
    auditEntryIds: [],
    actorId: "",
  };
  const looked = new Set(listApiReads(nothing).map(({ operationId }) => operationId));
  const reads = routes.filter(({ method }) => method === "GET").map((route) => route.operationId);
  assert.deepEqual([...looked].toSorted(), reads.toSorted());
});
