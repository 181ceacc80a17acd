import assert from "node:assert/strict";
import type postgres from "postgres";
import { foldSegments } from "../../local/fold_segments.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createSegment, foldAll } from "../segments/fold_world.ts";

async function ingestEvent(
  sql: postgres.Sql,
  workspaceId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await ingestEntries(sql as never, [
    { workspace_id: workspaceId, kind: "event", external_id: id, name },
  ]);
}

Deno.test("signals notify who listens, and nobody else is notified", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await ingestEvent(sql, workspaceId, { id: "ada", name: "viewed" });
  await createSegment(sql, workspaceId, { event: "bought" });
  await foldAll(sql, Date.now());
  const got: string[] = [];
  const marks = new Map<string, () => void>();
  const { unlisten } = await sql.listen("segments", (payload) => {
    got.push(payload);
    marks.get(payload)?.();
  });
  /** Resolves when everything that was sent before has arrived. */
  const settle = async (mark: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    marks.set(mark, resolve);
    await sql`select pg_notify('segments', ${mark})`;
    await promise;
  };
  await ingestEvent(sql, workspaceId, { id: "ada", name: "bought" });
  await settle("nobody has announced to listen");
  await sql`select private.hear_signals('1 minute')`;
  await ingestEvent(sql, workspaceId, { id: "ada", name: "viewed" });
  await settle("no segment depends on the event");
  await ingestEvent(sql, workspaceId, { id: "ada", name: "bought" });
  await settle("notified");
  await unlisten();
  assert.deepEqual(got, [
    "nobody has announced to listen",
    "no segment depends on the event",
    "",
    "notified",
  ]);
});

Deno.test("foldSegments() folds what arrives until it is disposed", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const id = await createSegment(sql, workspaceId, { event: "bought" });
  const failures: unknown[] = [];
  const folding = await foldSegments(sql, (error) => failures.push(error));
  try {
    for (let n = 1; n <= 3; n++) {
      await ingestEvent(sql, workspaceId, { id: `user-${n}`, name: "bought" });
      const deadline = Date.now() + 20_000;
      for (let members = 0; members < n;) {
        assert(Date.now() < deadline, `${members} members, not ${n}`);
        const [row] = await sql<{ members: number }[]>`
          select members::int from public.segments where id = ${id}`;
        members = row!.members;
      }
    }
  } finally {
    await folding[Symbol.asyncDispose]();
  }
  assert.deepEqual(failures, []);
});
