import assert from "node:assert/strict";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { assertResponse, findOperation } from "../../testing/service/openapi.ts";
import {
  createMessagesWorld,
  type ListedRow,
  type MessagesWorld,
  publishAbout,
  read,
  readPages,
} from "./messages_world.ts";

/** Stores entries one after the other; returns the customer of each. */
async function track(
  { dispatch: { sql, workspaceId } }: MessagesWorld,
  ...entries: Parameters<typeof ingestFor>[2]
): Promise<string[]> {
  const customerIds = [];
  for (const entry of entries) customerIds.push(...await ingestFor(sql, workspaceId, [entry]));
  return customerIds;
}

function identify(external_id: string, first_name: string) {
  return { kind: "identify", external_id, profile: { first_name } } as const;
}

function about(rows: readonly ListedRow[]) {
  return rows.map(({ id, customer_id, customer_name }) => [id, customer_id, customer_name]);
}

/** The messages about a customer, in all pages. */
async function listAbout(world: MessagesWorld, customerId: string) {
  return about((await readPages(world, { customer_id: customerId })).rows);
}

Deno.test("a message names its customer to those who may read customers", async () => {
  await using world = await createMessagesWorld();
  const { dispatch: { workspaceId }, api } = world;
  await world.dispatch.addDestination({ eventTypes: ["order_created"] });
  const [ada] = await track(world, identify("ada", "Ada"));
  const [first] = await publishAbout(world, "order_created", [ada!]);
  const [second] = await publishAbout(world, "order_created", [null]);
  for (
    const [scopes, name] of [
      [["deliveries:read", "customers:read"], "Ada"],
      [["deliveries:read"], null],
    ] as const
  ) {
    const token = await api.createKey(scopes, workspaceId);
    const { body: list } = await api.send({ path: "/messages", token });
    assert.deepEqual(about(list.data), [[second, null, null], [first, ada, name]]);
    const one = await api.send({ path: `/messages/${first}`, token });
    assertResponse(findOperation("getMessage"), one);
    assert.deepEqual(about([one.body, ...one.body.destinations]), [
      [first, ada, name],
      [first, ada, name],
    ]);
    const none = await api.send({ path: `/messages/${second}`, token });
    assert.deepEqual(about([none.body]), [[second, null, null]]);
  }
});

Deno.test("messages about a record that was merged belong to the surviving customer", async () => {
  await using world = await createMessagesWorld();
  const { sql, dispatch: { workspaceId } } = world;
  await world.dispatch.addDestination({ eventTypes: ["order_created"] });
  const [old, ada, grace] = await track(
    world,
    identify("old", "Augusta"),
    identify("ada", "Ada"),
    identify("grace", "Grace"),
  );
  const [first, , third] = [
    ...await publishAbout(world, "order_created", [old!]),
    ...await publishAbout(world, "order_created", [grace!]),
    ...await publishAbout(world, "order_created", [ada!]),
  ];
  await track(world, { kind: "alias", external_id: "ada", previous_id: "old" });
  assert.deepEqual((await listAbout(world, ada!)).map(([id, of]) => [id, of]), [
    [third, ada],
    [first, ada],
  ]);
  // The id of the record itself finds its messages, too.
  assert.deepEqual((await listAbout(world, old!)).map(([id, of]) => [id, of]), [[first, ada]]);
  assert.equal((await read(world, `/messages/${first}`)).customer_id, ada);

  // Only the 50 records that were merged last count.
  await sql`
    insert into public.customer_merges (
      workspace_id, customer_id, merged_customer_id, cause, identity_ids, profile
    )
    select ${workspaceId}, ${ada!}, gen_random_uuid(), 'alias', '{}', '{}'
    from generate_series(1, 50)`;
  assert.deepEqual((await listAbout(world, ada!)).map(([id]) => id), [third]);
});

Deno.test("no message is found by a customer who was erased", async () => {
  await using world = await createMessagesWorld();
  const { sql, dispatch: { workspaceId }, worker } = world;
  await world.dispatch.addDestination({ eventTypes: ["order_created"] });
  const [ada] = await track(world, identify("ada", "Ada"));
  const [message] = await publishAbout(world, "order_created", [ada!]);
  await worker.complete(await worker.claim());
  assert.deepEqual((await listAbout(world, ada!)).map(([id]) => id), [message]);
  await eraseCustomers(sql, workspaceId, [ada!]);
  await runFrequentTasksFor(sql, { seconds: 120 });
  assert.deepEqual(await listAbout(world, ada!), []);
  assert.deepEqual(about((await readPages(world, {})).rows), [[message, null, null]]);
});

Deno.test("a page of a customer's messages looks at 1,000, and the next continues there", async () => {
  await using world = await createMessagesWorld();
  const { worker } = world;
  await world.dispatch.addDestination({ eventTypes: ["order_created"] });
  const [ada] = await track(world, identify("ada", "Ada"));
  const [givenUp] = await publishAbout(world, "order_created", [ada!]);
  await worker.fail(await worker.claim(), { action: "exhausted", next_attempt_at: null });
  const newer = await publishAbout(world, "order_created", Array(1_100).fill(ada));
  const found = await readPages(world, { customer_id: ada!, state: "given_up,missed" });
  assert.deepEqual(found.rows.map(({ id }) => id), [givenUp]);
  assert.deepEqual(found.sizes, [0, 1]);
  // Without a state, each page is full.
  const all = await readPages(world, { customer_id: ada!, limit: "200" });
  assert.deepEqual(all.sizes, [200, 200, 200, 200, 200, 101]);
  assert.deepEqual(
    all.rows.map(({ id }) => id),
    [givenUp!, ...newer].toSorted().toReversed(),
  );
});

Deno.test("messages of a customer are exported as they are filtered", async () => {
  await using world = await createMessagesWorld();
  const { api, token } = world;
  await world.dispatch.addDestination({ eventTypes: ["order_created"] });
  const [ada, grace] = await track(world, identify("ada", "Ada"), identify("grace", "Grace"));
  const [first] = await publishAbout(world, "order_created", [ada!]);
  await publishAbout(world, "order_created", [grace!]);
  const query = `format=ndjson&customer_id=${ada}&state=waiting,held`;
  const { status, body } = await api.send({ path: `/messages/export?${query}`, token });
  assert.equal(status, 200);
  const rows = body.trimEnd().split("\n").map((line: string) => JSON.parse(line));
  assert.deepEqual(about(rows), [[first, ada, null]]);
});
