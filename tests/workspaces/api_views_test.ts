import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";

Deno.test("views are saved, changed and deleted by members, and seen by all", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = world;
  const member = await world.signInAs("member");
  const viewer = await world.signInAs("viewer");
  const call = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token: member, workspaceId, body });
  const filter = JSON.stringify({ field: "country", op: "eq", value: "DE" });
  const body = { list: "customers", name: "Germans", filters: { filter }, columns: ["b", "a"] };
  const made = await call("POST", "/views", body);
  assert.equal(made.status, 201);
  assert.deepEqual([made.body.filters, made.body.columns], [{ filter }, ["b", "a"]]);
  assert.notEqual(made.body.created_by, null);
  for (const name of ["Germans", "GERMANS"]) {
    const again = await call("POST", "/views", { ...body, name });
    assert.deepEqual([again.status, again.body.code], [409, "conflict"]);
  }
  const elsewhere = await call("POST", "/views", { list: "events", name: "Germans" });
  assert.deepEqual([elsewhere.status, elsewhere.body.columns], [201, null]);
  const second = await call("POST", "/views", { list: "customers", name: "Others" });
  const taken = await call("PATCH", `/views/${second.body.id}`, { name: "germans" });
  assert.equal(taken.status, 409);
  const path = `/views/${made.body.id}`;
  assert.equal((await call("PATCH", path, { name: "germans" })).status, 200);
  const unknown = await call("PATCH", path, { filters: { name: "x" } });
  assert.deepEqual([unknown.status, unknown.body.details[0].field], [400, "filters.name"]);
  const renamed = await call("PATCH", path, { name: "People in DE", columns: null });
  assert.deepEqual(
    [renamed.body.name, renamed.body.columns, renamed.body.filters],
    ["People in DE", null, { filter }],
  );
  const list = await world.send({ path: "/views?list=customers", token: viewer, workspaceId });
  const names = list.body.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["Others", "People in DE"]);
  const refused = await world.send({ method: "DELETE", path, token: viewer, workspaceId });
  assert.equal(refused.status, 403);
  assert.equal((await call("DELETE", path)).status, 204);
  assert.equal((await call("DELETE", path)).status, 404);
});

Deno.test("a view names a list that exists, and has texts as filters", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["views:write"]);
  const send = (body: unknown) => world.send({ method: "POST", path: "/views", token, body });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, "x"]));
  const wrong: [body: Record<string, unknown>, field: string][] = [
    [{ list: "secrets" }, "list"],
    [{ list: "events", name: "" }, "name"],
    [{ list: "events", filters: { q: 5 } }, "filters.q"],
    [{ list: "events", filters: many }, "filters"],
    [{ list: "events", columns: [] }, "columns"],
    [{ list: "events", columns: ["Name"] }, "columns"],
    [{ list: "customers", columns: ["plan", "plan"] }, "columns"],
    [{ list: "customers", filters: { q: "ada", filtre: "x" } }, "filters.filtre"],
    [{ list: "customers", filters: { cursor: "x" } }, "filters.cursor"],
    [{ list: "topics", filters: { range: "7d" } }, "filters.range"],
    // The list would refuse these.
    [{ list: "customers", filters: { q: "u", email: "a@b.com" } }, "filters.email"],
    [{ list: "customers", filters: { q: "u", sort: "oldest" } }, "filters.sort"],
    [{ list: "sends", filters: { engagement: "read" } }, "filters.engagement"],
    [{ list: "sends", filters: { campaign_id: "spring" } }, "filters.campaign_id"],
    [{ list: "sends", filters: { range: "1y" } }, "filters.range"],
    [{ list: "sends", filters: { range: "7d", since: "2026-01-01T00:00:00Z" } }, "filters.range"],
    [{ list: "events", filters: { filter: '{"event":"a\\u0000b"}' } }, "filters.filter.event"],
    [{ list: "deliveries", filters: { ok: "maybe" } }, "filters.ok"],
    [{ list: "deliveries", filters: { since: "yesterday" } }, "filters.since"],
    [{ list: "customers", filters: { filter: "{}" } }, "filters.filter"],
    [{ list: "messages", filters: { state: "held,lost" } }, "filters.state"],
    [{ list: "messages", filters: { customer_id: "ada" } }, "filters.customer_id"],
  ];
  for (const [part, field] of wrong) {
    const { status, body } = await send({ name: "x", ...part });
    assert.deepEqual([status, body.details?.[0]?.field], [400, field], JSON.stringify(body));
  }
  const { body: refused } = await send({ list: "topics", name: "x", filters: { q: "x" } });
  assert.equal(
    refused.error,
    'Field "filters.q" must be a filter of the list "topics": sort',
  );
  const columns = { list: "sends", name: "Senders", columns: ["State", "Sender"] };
  assert.equal((await send(columns)).status, 201);
  const range = { list: "deliveries", name: "Failed", filters: { ok: "false", range: "7d" } };
  assert.equal((await send(range)).status, 201);
  const messages = { customer_id: crypto.randomUUID(), state: "retrying,held", range: "7d" };
  const { body: kept } = await send({ list: "messages", name: "Waiting", filters: messages });
  assert.deepEqual(kept.filters, messages);
  const { body } = await send({ list: "events", name: "x" });
  assert.equal(body.created_by, null);
});

Deno.test("a view keeps its filters when a change has one that the list refuses", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["views:read", "views:write"]);
  const send = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, body });
  const filters = { engagement: "opened", state: "sent", sort: "oldest", range: "24h" };
  const { body: made } = await send("POST", "/views", { list: "sends", name: "Opened", filters });
  const path = `/views/${made.id}`;
  for (
    const [wrong, field] of [
      [{ engagement: "read" }, "filters.engagement"],
      [{ sender_id: "main" }, "filters.sender_id"],
    ] as const
  ) {
    const { status, body } = await send("PATCH", path, { name: "New", filters: wrong });
    assert.deepEqual([status, body.details?.[0]?.field], [400, field]);
  }
  const { body: list } = await send("GET", "/views?list=sends");
  assert.deepEqual([list.data[0].name, list.data[0].filters], ["Opened", filters]);
  const changed = await send("PATCH", path, { filters: { engagement: "clicked" } });
  assert.deepEqual([changed.status, changed.body.filters], [200, { engagement: "clicked" }]);
  const rows = await world.sql`
    select a.details from public.audit_log as a
    where a.action = 'view.update' and a.workspace_id = ${world.workspaceId}`;
  assert.deepEqual(
    rows.map(({ details: { list, name, fields } }) => [list, name, fields]),
    [["sends", "Opened", ["filters"]]],
  );
});

Deno.test("a question of Explore is saved for the workspace, if Explore could ask it", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = world;
  const member = await world.signInAs("member");
  const viewer = await world.signInAs("viewer");
  const send = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token: member, workspaceId, body });
  const events = JSON.stringify([
    { event: "cart_viewed" },
    { event: "order_completed", where: [{ property: "plan", op: "eq", value: "pro" }] },
  ]);
  const filters = { kind: "funnel", events, within: "7d", range: "30d" };
  const question = { list: "explore", name: "Checkout", filters };
  const made = await send("POST", "/views", question);
  assert.deepEqual([made.status, made.body.list, made.body.filters], [201, "explore", filters]);
  const asViewer = { token: viewer, workspaceId };
  const { body: list } = await world.send({ path: "/views?list=explore", ...asViewer });
  assert.deepEqual(list.data.map(({ name }: { name: string }) => name), ["Checkout"]);
  const refused = await world.send({ method: "POST", path: "/views", ...asViewer, body: question });
  assert.equal(refused.status, 403);

  const wrong: [filters: Record<string, string>, field: string][] = [
    [{ kind: "pie" }, "filters.kind"],
    [{ events: "order_completed" }, "filters.events"],
    [{ events: "{}" }, "filters.events"],
    [{ events: '[{"event":""}]' }, "filters.events[0].event"],
    [{ events: '[{"event":"a","where":[{"property":"b","op":"is"}]}]' }, "filters.events[0].where"],
    [{ within: "1y" }, "filters.within"],
    [{ periods: "0" }, "filters.periods"],
    [{ since: "yesterday" }, "filters.since"],
    [{ range: "1y" }, "filters.range"],
    [{ q: "order" }, "filters.q"],
    [{ cursor: "x" }, "filters.cursor"],
  ];
  for (const [filters, field] of wrong) {
    const { status, body } = await send("PATCH", `/views/${made.body.id}`, { filters });
    const [found] = body.details ?? [];
    assert.equal(status, 400);
    assert.ok(found?.field.startsWith(field), `${found?.field} for ${field}`);
  }
  const renamed = await send("PATCH", `/views/${made.body.id}`, { name: "Purchase" });
  assert.deepEqual([renamed.body.name, renamed.body.filters], ["Purchase", filters]);
});

Deno.test("a question of Explore is on a board or on none, and other views have no board", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["views:read", "views:write"]);
  const call = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, body });
  const question = { list: "explore", name: "Orders", board: "Sales" };
  const { status, body } = await call("POST", "/views", question);
  assert.deepEqual([status, body.board], [201, "Sales"]);
  const path = `/views/${body.id}`;
  assert.equal((await call("PATCH", path, { name: "Orders a day" })).body.board, "Sales");
  assert.equal((await call("PATCH", path, { board: "x".repeat(100) })).status, 200);
  assert.equal((await call("PATCH", path, { board: null })).body.board, null);
  for (const board of ["", "x".repeat(101)]) {
    const refused = await call("PATCH", path, { board });
    assert.deepEqual([refused.status, refused.body.details[0].field], [400, "board"]);
  }
  const list = await call("POST", "/views", { list: "sends", name: "Mine", board: "Sales" });
  assert.deepEqual([list.status, list.body.details[0].message], [
    400,
    'must be null: only the list "explore" has boards',
  ]);
});
