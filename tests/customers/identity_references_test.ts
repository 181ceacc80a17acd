import assert from "node:assert/strict";
import type postgres from "postgres";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

const refusal = { code: "23503", constraint_name: "identities_customer_id_fkey" };

/** Two workspaces, each with a customer of its own. */
async function createNeighbours(sql: postgres.Sql) {
  const workspaceIds = [await createWorkspace(sql), await createWorkspace(sql)] as const;
  await ingestEntries(
    sql,
    workspaceIds.map((workspace_id) => {
      return { workspace_id, kind: "event" as const, external_id: "user-1", name: "viewed" };
    }),
  );
  const [own, other] = await sql<{ id: string }[]>`
    select c.id from public.customers as c order by c.workspace_id = ${workspaceIds[0]} desc`;
  return { workspaceId: workspaceIds[0], customerId: own!.id, othersId: other!.id };
}

Deno.test("an identity cannot lead to a customer who does not exist, or of another workspace", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const { workspaceId, customerId, othersId } = await createNeighbours(sql);
  const rowsFor = (ids: readonly string[]) =>
    sql(ids.map((customer_id, n) => {
      return { workspace_id: workspaceId, kind: "anon", value: `anon-${n}`, customer_id };
    }));
  for (const stranger of [crypto.randomUUID(), othersId]) {
    await assert.rejects(
      async () => await sql`insert into public.identities ${rowsFor([customerId, stranger])}`,
      refusal,
    );
    await assert.rejects(
      async () =>
        await sql`
          update public.identities set customer_id = ${stranger} where workspace_id = ${workspaceId}`,
      refusal,
    );
  }
  await sql`insert into public.identities ${rowsFor([customerId])}`;
  const kept = await sql`
    select from public.identities
    where workspace_id = ${workspaceId} and customer_id = ${customerId}`;
  assert.equal(kept.length, 2);
});

Deno.test("a customer with identities cannot be deleted", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const { workspaceId } = await createNeighbours(sql);
  const remove = () => sql`delete from public.customers where workspace_id = ${workspaceId}`;
  await assert.rejects(async () => await remove(), refusal);
  await sql`delete from public.identities where workspace_id = ${workspaceId}`;
  assert.equal((await remove()).count, 1);
});

Deno.test("only the statement that creates customers with their identities is exempt", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const exempt = await sql<{ name: string }[]>`
    select p.proname as name from pg_proc as p
    where p.prosrc like '%set_config(''signalpost.creates_customers''%'`;
  assert.deepEqual(exempt.map(({ name }) => name), ["create_event_identities"]);
  const { workspaceId } = await createNeighbours(sql);
  await assert.rejects(
    sql.begin(async (tx) => {
      const event = {
        workspace_id: workspaceId,
        kind: "event",
        external_id: "user-2",
        name: "seen",
      };
      await tx`select private.ingest(${JSON.stringify([event])})`;
      const stranger = { kind: "anon", value: "anon-1", customer_id: crypto.randomUUID() };
      await tx`insert into public.identities ${tx({ workspace_id: workspaceId, ...stranger })}`;
    }),
    refusal,
  );
});
