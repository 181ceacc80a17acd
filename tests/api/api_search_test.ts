import assert from "node:assert/strict";
import { createApiEntities, type Entities } from "../../testing/access/api_entities.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

interface Hit {
  type: string;
  id: string | null;
  parent_id: string | null;
  title: string;
}

/** Field of each type of entity, and the field of what it belongs to. */
const types: Record<string, [keyof Entities, (keyof Entities)?]> = {
  customer: ["customerId"],
  event: ["eventId"],
  destination: ["destinationId"],
  message: ["messageId"],
  delivery: ["deliveryId"],
  source: ["sourceId"],
  receipt: ["receiptId", "sourceId"],
  rejected_entry: ["rejectedEntryId"],
  segment: ["segmentId"],
  journey: ["journeyId"],
  run: ["runId", "journeyId"],
  campaign: ["campaignId"],
  template: ["templateId"],
  topic: ["topicId"],
  sender: ["senderId"],
  send: ["sendId"],
  alert_rule: ["alertRuleId"],
  alert: ["alertId"],
};

Deno.test("GET /search finds everything by its id, and nothing of another workspace", async () => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const token = await world.signInAs("viewer", workspaceId);
  const elsewhere = await world.createWorkspace();
  const stranger = await world.signInAs("owner", elsewhere);
  for (const [type, [field, parent]] of Object.entries(types)) {
    const path = `/search?q=${entities[field].toUpperCase()}`;
    const { status, body } = await world.send({ path, token, workspaceId });
    assert.equal(status, 200, JSON.stringify(body));
    const [hit, ...others]: Hit[] = body.data;
    assert.deepEqual([hit?.type, hit?.id, others], [type, entities[field], []], field);
    assert.equal(hit!.parent_id, parent === undefined ? null : entities[parent], field);
    const answer = await world.send({ path, token: stranger, workspaceId: elsewhere });
    assert.deepEqual(answer.body.data, [], field);
  }
});

Deno.test("GET /search finds customers by a beginning and all else by a part, in any case", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("viewer", workspaceId);
  const cases: [q: string, found: string[]][] = [
    ["ADA@exam", ["customer Ada Lovelace"]],
    ["user-1", ["customer Ada Lovelace"]],
    ["wareh", ["destination Warehouse"]],
    ["AREHOUSE", ["destination Warehouse"]],
    ["da Love", []],
    ["page_v", ["event_name page_viewed"]],
    ["viewed", ["event_name page_viewed"]],
    ["elcom", ["journey Welcome", "template Welcome"]],
    ["100% _", []],
  ];
  for (const [q, found] of cases) {
    const path = `/search?q=${encodeURIComponent(q)}`;
    const { body } = await world.send({ path, token, workspaceId });
    const shown = body.data.map(({ type, title }: Hit) => `${type} ${title}`);
    assert.deepEqual(shown, found, q);
  }
});

Deno.test("GET /search finds a key or an endpoint by its part, and shows beginnings first", async () => {
  await using world = await createApiWorld();
  const workspaceId = await world.createWorkspace();
  const token = await world.signInAs("admin", workspaceId);
  for (const [key, name] of [["churned", "Big vip"], ["vip-2026", "Loyal"], ["x", "VIP"]]) {
    const body = { key, name, kind: "static" };
    const { status } = await world.send({
      method: "POST",
      path: "/segments",
      token,
      workspaceId,
      body,
    });
    assert.equal(status, 201);
  }
  await world.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Warehouse', 'https://hooks.acme.example/in', '{*}')`;
  const search = async (q: string) => {
    const { body } = await world.send({ path: `/search?q=${q}`, token, workspaceId });
    return body.data.map(({ title }: Hit) => title);
  };
  assert.deepEqual(await search("vip"), ["VIP", "Big vip", "Loyal"]);
  assert.deepEqual(await search("ACME.example"), ["Warehouse"]);
});

Deno.test("GET /search shows a customer without a name by their external id", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("viewer", workspaceId);
  const [customer] = await world.sql`
    insert into public.customers (workspace_id) values (${workspaceId}) returning id`;
  const { id } = customer!;
  const search = async (q: string) => {
    const { body } = await world.send({ path: `/search?q=${q}`, token, workspaceId });
    return body.data.map((hit: { title: string; subtitle: string }) => [hit.title, hit.subtitle]);
  };
  assert.deepEqual(await search(id), [[id, null]]);
  await world.sql`
    insert into public.identities (workspace_id, customer_id, kind, value)
    values (${workspaceId}, ${id}, 'external', 'grace-7')`;
  for (const q of [id, "grace-7"]) assert.deepEqual(await search(q), [["grace-7", null]]);
});

Deno.test("GET /search shows the address of a customer once", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = await createApiEntities(world);
  const token = await world.signInAs("viewer", workspaceId);
  await world.sql`
    insert into public.customers (workspace_id, email) values (${workspaceId}, 'bea@example.com')`;
  const show = async (q: string) => {
    const { body } = await world.send({ path: `/search?q=${q}`, token, workspaceId });
    return body.data.map((hit: { title: string; subtitle: string }) => [hit.title, hit.subtitle]);
  };
  assert.deepEqual(await show("ada@example"), [["Ada Lovelace", "ada@example.com"]]);
  assert.deepEqual(await show("bea@example"), [["bea@example.com", null]]);
});

Deno.test("GET /search finds what a request left behind, and shows changes to admins alone", async () => {
  await using world = await createApiWorld();
  const { workspaceId, receiptId, sourceId } = await createApiEntities(world);
  const admin = await world.signInAs("admin", workspaceId);
  const viewer = await world.signInAs("viewer", workspaceId);
  const requestId = crypto.randomUUID();
  const rename = { name: "Renamed" };
  const changed = await world.send({
    method: "PATCH",
    path: `/sources/${sourceId}`,
    token: admin,
    workspaceId,
    body: rename,
    headers: { "X-Request-Id": requestId },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await world.sql`
    update public.inbound_receipts set request_id = ${requestId} where id = ${receiptId}`;
  const search = async (token: string) => {
    const { body } = await world.send({ path: `/search?q=${requestId}`, token, workspaceId });
    return body.data.map(({ type }: Hit) => type);
  };
  assert.deepEqual(await search(admin), ["receipt", "audit_entry"]);
  assert.deepEqual(await search(viewer), ["receipt"]);
});

Deno.test("GET /search shows a key only what its scopes allow", async () => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const { workspaceId, destinationId } = entities;
  const token = await world.createKey(["customers:read"], workspaceId);
  for (const q of [destinationId, "wareh"]) {
    const { body } = await world.send({ path: `/search?q=${q}`, token });
    assert.deepEqual(body.data, [], q);
  }
  const { body } = await world.send({ path: "/search?q=ada", token });
  assert.deepEqual(body.data.map(({ type }: Hit) => type), ["customer"]);
});
