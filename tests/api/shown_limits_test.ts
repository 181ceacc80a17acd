import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { outboundLimits, retentionDays } from "../../supabase/functions/api/contract/limits.ts";
import {
  overlapSeconds,
  usualOverlapSeconds,
} from "../../supabase/functions/api/contract/rotation_overlap.ts";
import { formatBytes } from "../../supabase/functions/_shared/rate_limit/format_bytes.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

/** A number as the guides write it: `1,000`. */
const written = (value: number) => value.toLocaleString("en-US");

/** A pattern for a text that is not part of a longer number. */
function toPattern(part: string): string {
  const escaped = part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `${/^\d/.test(part) ? "(?<![\\d,])" : ""}${escaped}${/\d$/.test(part) ? "(?!\\d)" : ""}`;
}

/** Fails unless the guide states the limit: these parts in this order, within one sentence. */
function assertStated(...parts: string[]): void {
  const isStated = new RegExp(parts.map(toPattern).join("[^.]*?")).test(guide);
  assert.ok(isStated, `docs/api.md does not say: ${parts.join(" … ")}`);
}

Deno.test("docs/api.md states the limits of requests to destinations", () => {
  const { deadlineMs, connectTimeoutMs, maxResponseBytes, snippetBytes } = outboundLimits;
  const { maxHeaders, headerBytes } = outboundLimits;
  const { defaultConcurrency, maxConcurrency, maxRatePerSecond } = outboundLimits;
  assertStated("2xx response within", `${deadlineMs / 1000} seconds`);
  assertStated("the connection (at most", `${connectTimeoutMs / 1000}`);
  assertStated("no connection within", `${connectTimeoutMs / 1000} s`, `${deadlineMs / 1000} s`);
  assertStated(`${maxResponseBytes / 1024} KiB of a response`);
  assertStated("`response_snippet`", `${snippetBytes / 1024} KiB`);
  assertStated("`response_headers` | the first", `${maxHeaders}`, `${headerBytes / 1024} KiB`);
  assertStated("`max_concurrency` (", `1 to ${maxConcurrency}`, `${defaultConcurrency}`);
  assertStated("`rate_limit_per_second` (", `1 to ${written(maxRatePerSecond)}`);
});

Deno.test("docs/api.md states how long records are kept", () => {
  assertStated("`GET /api/deliveries` lists attempts", `${retentionDays.deliveries} days`);
  assertStated("rejected entry is stored for", `${retentionDays.rejectedEntries} days`);
  assertStated("invitation ends after", `${retentionDays.invitations} days`);
});

Deno.test("docs/api.md states how long a replaced secret stays valid", () => {
  const { maximum } = overlapSeconds.toJSONSchema() as { maximum: number };
  assertStated(`${written(maximum)} seconds`, written(usualOverlapSeconds));
});

Deno.test("the schema has the limits that the API and the dashboard show", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const insert = (concurrency: number | null, rate: number | null = null) =>
    sql<{ id: string }[]>`
      insert into public.destinations (
        workspace_id, name, url, event_types, max_concurrency, rate_limit_per_second
      )
      values (${workspaceId}, 'x', 'https://x.test/', '{*}', ${concurrency}, ${rate})
      returning id`;
  const { defaultConcurrency, maxConcurrency, maxRatePerSecond } = outboundLimits;
  const [row] = await sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'x', 'https://x.test/', '{*}')
    returning max_concurrency`;
  assert.equal(row!.max_concurrency, defaultConcurrency);
  await insert(maxConcurrency, maxRatePerSecond);
  await assert.rejects(async () => await insert(maxConcurrency + 1), /max_concurrency_check/);
  await assert.rejects(
    async () => await insert(1, maxRatePerSecond + 1),
    /rate_limit_per_second_check/,
  );
});

Deno.test("the schema keeps records for as long as the dashboard says", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const policies = await sql`
    select p.table_name as name, extract(day from p.keep)::integer as days
    from private.partition_policies as p where p.keep is not null`;
  const days = new Map(policies.map((policy) => [policy.name, policy.days]));
  assert.equal(days.get("deliveries"), retentionDays.deliveries);
  assert.equal(days.get("inbound_receipts"), retentionDays.receipts);
  assert.equal(days.get("rejected_entries"), retentionDays.rejectedEntries);
  const [invitation] = await sql`
    insert into public.invitations (workspace_id, email, role)
    values (${await createWorkspace(sql)}, 'ada@example.com', 'viewer')
    returning extract(day from expires_at - now())::integer as days`;
  assert.equal(invitation!.days, retentionDays.invitations);
});

/** The cells of the guide's table row that starts with this plan. */
function readPlanRow(id: string): string[] {
  const row = guide.split("\n").find((line) => line.startsWith(`| \`${id}\` | `));
  assert(row, `docs/api.md has no row of the plan "${id}"`);
  return row.split("|").slice(2, -1).map((cell) => cell.trim());
}

Deno.test("docs/api.md states the quotas of every plan", async () => {
  await using db = await createTestDatabase();
  const plans = await db.sql`
    select *, ingest_bytes_per_day::double precision as bytes from public.plans
    where id in ('free', 'pro', 'scale')`;
  assert.equal(plans.length, 3);
  for (const plan of plans) {
    assert.deepEqual(readPlanRow(plan.id), [
      `${written(plan.ingest_per_second)}/s`,
      written(plan.ingest_burst),
      formatBytes(plan.bytes),
      `${written(plan.api_per_second)}/s`,
      written(plan.api_burst),
    ]);
  }
});
