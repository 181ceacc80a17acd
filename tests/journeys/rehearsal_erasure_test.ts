import assert from "node:assert/strict";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createPeople, eraseCustomers, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

Deno.test("an erased customer is in no example of a rehearsal", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const [ada, bob] = await createPeople(sql, workspaceId, 2);
  const [journey] = await sql`
    insert into public.journeys (workspace_id, name, definition)
    values (${workspaceId}, 'Welcome', ${JSON.stringify(smallestDefinition)}::text::jsonb)
    returning id`;
  const examples = [bob, ada, bob].map((customer_id) => ({ customer_id, path: [] }));
  for (const rows of [examples, [{ customer_id: ada, path: [] }]]) {
    await sql`
      insert into public.rehearsals (
        workspace_id, journey_id, definition, since, until, state, finished_at, examples
      )
      values (
        ${workspaceId}, ${journey!.id}, '{}', now(), now(), 'done', now(),
        ${JSON.stringify(rows)}::text::jsonb
      )`;
  }
  await eraseCustomers(sql, workspaceId, [ada!]);
  await runFrequentTasksFor(sql, { seconds: 60 });
  const kept = await sql`select h.examples from public.rehearsals as h order by h.id`;
  assert.deepEqual(kept.map((row) => row.examples), [[examples[0], examples[2]], []]);
});
