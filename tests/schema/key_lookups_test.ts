import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";

// Workers keep their plans. One that was made for an empty table serves it until it is analyzed.
const lookups = {
  sends: "select from public.sends where workspace_id = $1 and queued_at = $2 and id = $1",
  journey_runs: "select from public.journey_runs where workspace_id = $1 and id = $1",
};

for (const [table, lookup] of Object.entries(lookups)) {
  Deno.test(`a plan for an empty table finds rows of ${table} by their primary key`, async () => {
    await using db = await createTestDatabase();
    const rows = await db.sql.begin(async (sql) => {
      await sql`set local plan_cache_mode = 'force_generic_plan'`;
      await sql`set local enable_seqscan = 'off'`;
      await sql.unsafe(`prepare lookup (uuid, timestamptz) as ${lookup}`);
      return await sql`explain execute lookup (gen_random_uuid(), now())`;
    });
    const indexes = rows.map((row) => /using (\S+)/.exec(row["QUERY PLAN"])?.[1])
      .filter((index) => index !== undefined);
    assert(indexes.length > 0);
    for (const index of indexes) assert.match(index, /_pkey$/);
  });
}
