import assert from "node:assert/strict";
import type postgres from "postgres";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";

async function storeEvent(
  { db, workspaceId }: DispatchWorld,
  name: string,
  externalId = "ada",
): Promise<void> {
  const entry = {
    workspace_id: workspaceId,
    kind: "event",
    external_id: externalId,
    name,
  } as const;
  const [result] = await ingestEntries(db.sql, [entry]);
  assert.equal(result!.ok, true);
}

async function queuedTypes({ sql }: DispatchWorld): Promise<string[]> {
  const rows = await sql<{ event_type: string }[]>`
    select m.event_type
    from private.webhook_queue as q
    join public.webhook_messages as m
      on m.workspace_id = q.workspace_id and m.id = q.message_id
    order by m.event_type`;
  return rows.map(({ event_type }) => event_type);
}

/** Compares the rows that ingest looks up with the event types of the destinations. */
async function findDifferences({ sql }: DispatchWorld): Promise<string[]> {
  const rows = await sql<{ difference: string }[]>`
    select (coalesce(t.workspace_id, e.workspace_id), coalesce(t.pattern, e.pattern))::text as difference
    from (
      select distinct d.workspace_id, d.id as destination_id, p.pattern
      from public.destinations as d, unnest(d.event_types) as p (pattern)
    ) as t
    full join private.destination_event_types as e using (workspace_id, destination_id, pattern)
    where t.destination_id is null or e.destination_id is null`;
  return rows.map(({ difference }) => difference);
}

function setTypes(sql: postgres.Sql, id: string, types: string[]) {
  return sql`
    update public.destinations
    set event_types = array(select jsonb_array_elements_text(${JSON.stringify(types)}::text::jsonb))
    where id = ${id}`;
}

Deno.test("the event types that ingest looks up are those of the destinations after every change", async () => {
  await using world = await createDispatchWorld();
  const { sql } = world;
  const [first, second] = [
    await world.addDestination({ eventTypes: ["order_created", "order_*", "order_created"] }),
    await world.addDestination({ eventTypes: ["*"] }),
  ];
  assert.deepEqual(await findDifferences(world), []);
  await setTypes(sql, first.id, ["*", "order_created"]);
  assert.deepEqual(await findDifferences(world), []);
  await sql`update public.destinations set enabled = false, name = 'Other' where id = ${second.id}`;
  assert.deepEqual(await findDifferences(world), []);
  await sql`delete from public.destinations where id = ${first.id}`;
  assert.deepEqual(await findDifferences(world), []);
  const rows = await sql`select pattern, prefix_length from private.destination_event_types`;
  assert.deepEqual([...rows], [{ pattern: "*", prefix_length: 0 }]);
});

Deno.test("an event goes to the destinations that had asked for it by a commit before it was stored", async () => {
  await using world = await createDispatchWorld();
  const { sql } = world;
  const { id } = await world.addDestination({ eventTypes: ["old"] });

  await sql.begin(async (tx) => {
    await setTypes(tx as unknown as postgres.Sql, id, ["new"]);
    // Ingest neither waits for the change nor sees it.
    await storeEvent(world, "old");
    await storeEvent(world, "new");
  });
  assert.deepEqual(await queuedTypes(world), ["old"]);

  await storeEvent(world, "old");
  await storeEvent(world, "new");
  assert.deepEqual(await queuedTypes(world), ["new", "old"]);
});

Deno.test("a new customer's message does not depend on who wants the event that created them", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination({ eventTypes: ["customer.created"] });
  await storeEvent(world, "viewed");
  await storeEvent(world, "viewed");
  assert.deepEqual(await queuedTypes(world), ["customer.created"]);

  await world.addDestination({ eventTypes: ["viewed"] });
  await storeEvent(world, "viewed", "grace");
  assert.deepEqual(await queuedTypes(world), ["customer.created", "customer.created", "viewed"]);
});

Deno.test("destinations that want something else leave no message, for any change of a batch", async () => {
  await using world = await createDispatchWorld();
  for (let i = 0; i < 20; i++) {
    await world.addDestination({ eventTypes: [`other_${i}`, `more_${i}_*`, "customer.deleted"] });
  }
  const { db, workspaceId } = world;
  const own = { workspace_id: workspaceId, kind: "identify" } as const;
  await ingestEntries(db.sql, [
    { ...own, kind: "event", external_id: "ada", name: "viewed" },
    { ...own, external_id: "ada", profile: { first_name: "Ada" } },
    { ...own, external_id: "countess", anon_id: "visitor" },
    { ...own, kind: "alias", external_id: "ada", previous_id: "countess" },
  ]);
  const [row] = await world.sql`select count(*)::int as messages from public.webhook_messages`;
  assert.equal(row!.messages, 0);
});
