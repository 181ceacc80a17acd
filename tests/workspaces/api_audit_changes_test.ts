import assert from "node:assert/strict";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { smallestDefinition } from "../../testing/data/journeys.ts";

/** Calls the api as the owner, and reads the newest entry of the audit log. */
async function openAudit(world: ApiWorld) {
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const token = await world.signInAs("owner", workspaceId);
  const call = async (method: string, path: string, body?: unknown) => {
    const given = body === undefined ? {} : { body };
    const response = await world.send({ method, path, token, workspaceId, ...given });
    assert(response.status < 300, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const readNewest = async () => (await call("GET", "/audit-log?limit=1")).data[0];
  return { ...entities, call, readNewest };
}

Deno.test("an entry of the audit log has the values before and after a change", async () => {
  await using world = await createApiWorld();
  const { call, readNewest, destinationId, workspaceId } = await openAudit(world);
  const path = `/destinations/${destinationId}`;
  await call("PATCH", path, { name: "Depot", rate_limit_per_second: null });
  await call("PATCH", path, {
    name: "Warehouse",
    rate_limit_per_second: 5,
    event_types: ["a", "b"],
    max_concurrency: 10,
  });
  const entry = await readNewest();
  assert.deepEqual(await call("GET", `/audit-log/${entry.id}`), entry);
  assert.deepEqual(entry.details.changes.name, { before: "Depot", after: "Warehouse" });
  assert.deepEqual(entry.details.changes.rate_limit_per_second, { before: null, after: 5 });
  assert.deepEqual(entry.details.changes.event_types.after, ["a", "b"]);
  assert.equal("description" in entry.details.changes, false, "it was not sent");

  await call("PATCH", path, { name: "Warehouse" });
  assert.equal((await readNewest()).id, entry.id, "nothing changed");

  await call("PATCH", `/workspaces/${workspaceId}`, { name: "Acme", fill_browser_ip: false });
  const { changes } = (await readNewest()).details;
  assert.equal(changes.name.after, "Acme");
  assert.deepEqual(changes.fill_browser_ip, { before: true, after: false });
});

Deno.test("a change of a role and of a view has its values", async () => {
  await using world = await createApiWorld();
  const { call, readNewest } = await openAudit(world);
  const member = await call("POST", "/members", { email: "eve@example.com", role: "viewer" });
  await call("PATCH", `/members/${member.id}`, { role: "admin" });
  const role = await readNewest();
  assert.deepEqual(role.details, {
    fields: ["role"],
    changes: { role: { before: "viewer", after: "admin" } },
  });
  assert.equal(role.entity_name, "eve@example.com");
  const view = await call("POST", "/views", { list: "customers", name: "Germans" });
  await call("PATCH", `/views/${view.id}`, { name: "Austrians" });
  const renamed = await readNewest();
  assert.deepEqual(renamed.details.changes, { name: { before: "Germans", after: "Austrians" } });
  assert.equal(renamed.entity_name, "Austrians");
});

Deno.test("a PUT records what it replaced, and the name and key of what it created", async () => {
  await using world = await createApiWorld();
  const { call, readNewest } = await openAudit(world);
  const put = (name: string) =>
    call("PUT", "/segments/buyers", { name, condition: { event: "order_completed" } });
  await put("Buyers");
  const created = await readNewest();
  assert.deepEqual([created.action, created.details], [
    "segment.create",
    { name: "Buyers", key: "buyers", kind: "live" },
  ]);
  await put("All buyers");
  const replaced = await readNewest();
  assert.equal(replaced.action, "segment.update");
  assert.deepEqual(replaced.details.changes, { name: { before: "Buyers", after: "All buyers" } });
});

Deno.test("what is created has its name, key and kind in the audit log, and no condition", async () => {
  await using world = await createApiWorld();
  const { call, readNewest } = await openAudit(world);
  const condition = { field: "email", op: "eq", value: "eve@example.com" };
  const { id: segment } = await call("POST", "/segments", { name: "Eve", key: "eve", condition });
  assert.deepEqual((await readNewest()).details, { name: "Eve", key: "eve", kind: "live" });
  const rule = { name: "Late", kind: "backlog", threshold: 7 };
  await call("POST", "/alert-rules", rule);
  assert.deepEqual((await readNewest()).details, rule);
  const template = await call("POST", "/templates", { name: "Sale", subject: "Sale", text: "Hi" });
  const sender = (await call("GET", "/senders")).data[0].id;
  const campaign = { name: "Spring", key: "spring" };
  await call("POST", "/campaigns", { ...campaign, segment, template: template.id, sender });
  assert.deepEqual((await readNewest()).details, campaign);
});

Deno.test("the audit log holds no secret, no path of a URL, no long value and no customer", async () => {
  await using world = await createApiWorld();
  const { call, readNewest, destinationId, customerId, senderId } = await openAudit(world);
  const secret = "xoxb-this-is-a-secret";
  await call("PATCH", `/destinations/${destinationId}`, {
    url: `https://hooks.example.com/services/${secret}?token=${secret}`,
  });
  const { url } = (await readNewest()).details.changes;
  assert.equal(url.after, "https://hooks.example.com/…");

  await call("PATCH", `/senders/${senderId}`, {
    provider: "resend",
    config: { api_key: secret, base_url: `https://relay.example.com/${secret}` },
  });
  const sender = await readNewest();
  assert.equal(sender.action, "sender.update");
  assert.equal(sender.details.changes.provider.after, "resend");

  const journey = await call("POST", "/journeys", {
    name: "Welcome",
    definition: smallestDefinition,
  });
  await call("PATCH", `/journeys/${journey.id}`, { description: "x".repeat(1000) });
  assert.deepEqual((await readNewest()).details.changes, { description: { is_too_long: true } });
  await call("PATCH", `/journeys/${journey.id}`, {
    definition: { ...smallestDefinition, goal: { event: "left" } },
    draft_revision: journey.draft_revision,
  });
  assert.deepEqual(Object.keys((await readNewest()).details.changes), ["definition"]);

  await call("PATCH", `/customers/${customerId}`, { first_name: "Grace", last_name: secret });
  const customer = await readNewest();
  assert.deepEqual(Object.keys(customer.details), ["fields"]);

  const rows = await world.sql<{ text: string }[]>`
    select a.details::text as text from public.audit_log as a`;
  for (const { text } of rows) assert(!text.includes(secret), text);
});

Deno.test("a deleted resource leaves its name in the audit log", async () => {
  await using world = await createApiWorld();
  const { call, readNewest } = await openAudit(world);
  const bodies = {
    segments: { name: "Leavers", condition: { event: "left" } },
    topics: { key: "news", name: "News", default: "unsubscribed" },
    templates: { name: "Hello", subject: "Hi", text: "Hi" },
    journeys: { name: "Welcome", definition: smallestDefinition },
  };
  for (const [list, body] of Object.entries(bodies)) {
    const made = await call("POST", `/${list}`, body);
    const created = await readNewest();
    assert.equal(created.entity_name, body.name, list);
    await call("DELETE", `/${list}/${made.id}`);
    const deleted = await readNewest();
    assert.match(deleted.action, /\.delete$/);
    assert.equal(deleted.entity_name, body.name, list);
  }
});

Deno.test("the audit log lists and exports the changes of one entity", async () => {
  await using world = await createApiWorld();
  const { call, destinationId, workspaceId } = await openAudit(world);
  await call("PATCH", `/destinations/${destinationId}`, { name: "Depot" });
  await call("PATCH", `/workspaces/${workspaceId}`, { name: "Acme" });
  await call("PATCH", `/destinations/${destinationId}`, { name: "Warehouse" });
  const list = async (query: string) => {
    const { data } = await call("GET", `/audit-log?${query}`);
    return data.map(({ action }: { action: string }) => action);
  };
  const of = `entity_id=${destinationId}`;
  assert.deepEqual(await list(of), ["destination.update", "destination.update"]);
  assert.deepEqual(await list(`${of}&action=workspace.update`), []);
  assert.deepEqual(await list("action=destination.update,workspace.update&sort=oldest"), [
    "destination.update",
    "workspace.update",
    "destination.update",
  ]);
  assert.deepEqual(await list("action=destination.updat,workspace.up"), []);
  const { data } = await call("GET", `/audit-log?${of}&limit=1&sort=oldest`);
  assert.equal(data[0].details.changes.name.after, "Depot");
  const view = { list: "audit-log", name: "Depot", filters: { entity_id: destinationId } };
  assert.equal((await call("POST", "/views", view)).filters.entity_id, destinationId);
});
