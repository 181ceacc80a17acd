import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";

Deno.test("a list of customers has a count on demand, exact up to 10,000", async () => {
  await using world = await createApiWorld();
  const { workspaceId, sql } = world;
  const token = await world.createKey(["customers:read"]);
  const read = async (query: string) => {
    const { status, body } = await world.send({ path: `/customers?${query}`, token });
    assert.equal(status, 200, JSON.stringify(body));
    return [body.count, body.is_exact];
  };
  const add = (start: string, most: number) =>
    sql`
      insert into public.customers (workspace_id, email, first_name, attributes)
      select
        ${workspaceId}, ${start} || i || '@example.com', ${start} || i,
        jsonb_build_object('name', ${start} || i)
      from generate_series(1, ${most}::integer) as i`;
  await add("ada", 3);
  await add("bob", 4);
  assert.deepEqual(await read("limit=1"), [undefined, undefined]);
  assert.deepEqual(await read("limit=1&count=true"), [7, true]);
  assert.deepEqual(await read("count=true"), [7, true]);
  // Each matches by its address, its name and its attribute.
  assert.deepEqual(await read("limit=1&count=true&q=ADA"), [3, true]);
  assert.deepEqual(await read("limit=1&count=true&q=nobody"), [0, true]);
  assert.deepEqual(await read(`limit=1&count=true&q=${crypto.randomUUID()}`), [0, true]);
  assert.deepEqual(await read("limit=1&count=true&email=ada1@example.com"), [1, true]);
  const { body: page } = await world.send({ path: "/customers?limit=1&count=true", token });
  const next = await world.send({
    path: `/customers?limit=1&count=true&cursor=${page.next_cursor}`,
    token,
  });
  assert.equal(next.body.count, undefined);

  await add("cleo", 9_993);
  assert.deepEqual(await read("limit=1&count=true"), [10_000, true]);
  assert.deepEqual(await read("limit=1&count=true&q=cleo"), [9_993, true]);
  await add("cleopatra", 8);
  assert.deepEqual(await read("limit=1&count=true"), [10_000, false]);
  assert.deepEqual(await read("limit=1&count=true&q=cleo"), [10_000, false]);
  assert.deepEqual(await read("limit=1&count=true&q=ada"), [3, true]);
});
