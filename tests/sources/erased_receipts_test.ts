import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createInboundWorld, type InboundWorld } from "../../testing/data/inbound.ts";

const mapping = {
  items: "/items",
  name: { value: "invoice_paid" },
  external_id: "/user",
  occurred_at: "/at",
};

async function eraseUser({ db: { sql }, workspaceId }: InboundWorld, externalId: string) {
  const rows = await sql<{ customer_id: string }[]>`
    select customer_id from public.identities where value = ${externalId}`;
  await eraseCustomers(sql, workspaceId, rows.map((row) => row.customer_id));
}

async function readBodies({ db: { sql } }: InboundWorld) {
  const rows = await sql<{ body: string | null }[]>`
    select body from public.inbound_receipts order by received_at, id`;
  return rows.map(({ body }) => body);
}

async function createScene() {
  const world = await createInboundWorld();
  const source = await world.createSource({ scheme: "service", mapping });
  const deliver = async (...items: Record<string, unknown>[]) => {
    const body = JSON.stringify({ items });
    return { body, response: (await world.deliver({ source, body })).body };
  };
  return { world, source, deliver };
}

Deno.test("the body of a receipt is erased for the last customer of a long payload too", async () => {
  const { world, deliver } = await createScene();
  await using _ = world;
  const items = Array.from({ length: 120 }, (_, i) => ({ user: `user-${i}` }));
  const { response } = await deliver(...items);
  assert.equal(response.accepted, 120);
  const { body } = await deliver({ user: "user-1" });

  await eraseUser(world, "user-110");
  await runFrequentTasksFor(world.db.sql, { seconds: 90 });

  assert.deepEqual(await readBodies(world), [null, body]);
});

Deno.test("the body of a receipt is erased with its rejected entry", async () => {
  const { world, deliver } = await createScene();
  await using _ = world;
  await deliver({ user: "ada" });
  const { response } = await deliver({ user: "ada", at: "yesterday" });
  assert.equal(response.rejected, 1);
  const { body } = await deliver({ user: "eve", at: "yesterday" });

  await eraseUser(world, "ada");
  await runFrequentTasksFor(world.db.sql, { seconds: 90 });

  assert.deepEqual(await readBodies(world), [null, null, body]);
  assert.equal((await world.db.sql`select from public.rejected_entries`).length, 1);
});

Deno.test("the body of an ignored request is erased with the customer that it names", async () => {
  await using world = await createInboundWorld();
  const source = await world.createSource({ scheme: "standard-webhooks", preset: "resend" });
  const [id] = await ingestFor(world.db.sql, world.workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "ada@example.com" } },
  ]);
  const open = (email: string) => JSON.stringify({ type: "email.opened", data: { to: [email] } });
  for (const [i, email] of ["Ada@example.com", "eve@example.com"].entries()) {
    const { body } = await world.deliver({ source, body: open(email), id: `msg_${i}` });
    assert.equal(body.ignored, 1);
  }
  await eraseCustomers(world.db.sql, world.workspaceId, [id!]);
  await runFrequentTasksFor(world.db.sql, { seconds: 90 });
  assert.deepEqual(await readBodies(world), [null, open("eve@example.com")]);
});

Deno.test("a receipt belongs to the customer of its corrected and resent entry", async () => {
  await using api = await createApiWorld();
  await using world = await createInboundWorld({ on: api });
  const source = await world.createSource({ scheme: "service", mapping });
  const body = JSON.stringify({ items: [{ user: "null", name: "Ada Lovelace" }, { user: "eve" }] });
  const { body: { rejected } } = await world.deliver({ source, body });
  assert.equal(rejected, 1);
  const [entry] = await api.sql<{ id: string }[]>`select id from public.rejected_entries`;
  const token = await api.signInAs("member");
  const { workspaceId } = api;
  const path = `/rejected-entries/${entry!.id}/resend`;
  const fixed = { entry: { user: "ada" } };
  const sent = await api.send({ method: "POST", path, token, workspaceId, body: fixed });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));

  await eraseUser(world, "ada");
  await runFrequentTasksFor(api.sql, { seconds: 90 });

  assert.deepEqual(await readBodies(world), [null]);
});

Deno.test("a receipt recorded after its customer's erasure loses its body too", async () => {
  const { world, deliver } = await createScene();
  await using _ = world;
  const { sql } = world.db;
  await deliver({ user: "ada" });
  await sql`create table private.held as select * from public.inbound_receipts`;
  await sql`delete from public.inbound_receipts`;
  await eraseUser(world, "ada");
  await runFrequentTasksFor(sql, { seconds: 10 });
  // As if its transaction had been under way until now.
  await sql`insert into public.inbound_receipts select * from private.held`;
  await runFrequentTasksFor(sql, { from: 10, seconds: 80 });

  assert.deepEqual(await readBodies(world), [null]);
});

Deno.test("bodies of receipts are erased in batches", async () => {
  const { world, deliver } = await createScene();
  await using _ = world;
  const { sql } = world.db;
  for (let i = 0; i < 5; i++) await deliver({ user: "ada" });
  await eraseUser(world, "ada");
  const work = () => sql`select private.work_erasures(2)`;
  const countLeft = async () => (await readBodies(world)).filter((body) => body !== null).length;
  const left = [5];
  while (left.at(-1)! > 0) {
    assert(left.length < 50);
    await work();
    left.push(await countLeft());
  }
  const drops = left.slice(1).map((count, i) => left[i]! - count);
  assert(drops.every((count) => count <= 2), JSON.stringify(left));
});
