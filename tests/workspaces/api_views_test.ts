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
  const range = { list: "deliveries", name: "Failed", filters: { ok: "false", range: "7d" } };
  assert.equal((await send(range)).status, 201);
  const { body } = await send({ list: "events", name: "x" });
  assert.equal(body.created_by, null);
});
