import assert from "node:assert/strict";
import { createBatcher } from "../../supabase/functions/_shared/batching/batcher.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { ingestTexts } from "../../supabase/functions/_shared/entries/ingest.ts";
import { createTrackWorld } from "../../testing/service/app.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { lockIsAwaited } from "../../testing/postgres/locks.ts";

Deno.test("calls of other workspaces are stored while every call of one workspace waits for a lock", async () => {
  await using world = await createTrackWorld();
  const { sql } = world.db;
  const slow = world.workspaceId;
  const quick = await createWorkspace(sql);
  const connection = connectDatabase({
    url: world.db.url,
    role: "signalpost_ingest",
    applicationName: "test-fairness",
  });
  const batcher = createBatcher({ store: (entries) => ingestTexts(connection, entries) });
  const add = (workspaceId: string, entry: object) =>
    batcher.add(workspaceId, [JSON.stringify({ workspace_id: workspaceId, ...entry })]);
  const identify = (n: number) => ({ kind: "identify", external_id: "ada", attributes: { n } });
  await add(slow, identify(0));
  const session = await sql.reserve();
  try {
    await session`begin`;
    await session`select from public.customers where workspace_id = ${slow} for update`;
    const waiting = [1, 2, 3].map((n) => add(slow, identify(n)));
    await lockIsAwaited(sql);

    for (let n = 0; n < 3; n++) {
      const [result] = await add(quick, { kind: "event", external_id: "bob", name: "viewed" });
      assert(result!.ok);
    }

    const [row] =
      await sql`select count(*)::int as stored from public.events where workspace_id = ${slow}`;
    assert.equal(row!.stored, 1);
    await session`commit`;
    assert((await Promise.all(waiting)).every(([result]) => result!.ok));
  } finally {
    session.release();
    await connection.end({ timeout: 1 });
  }
});
