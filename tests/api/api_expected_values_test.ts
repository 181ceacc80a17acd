import assert from "node:assert/strict";
import { scopes } from "../../supabase/functions/_shared/access/auth.ts";
import { takesExpected } from "../../supabase/functions/api/kernel/expected_values.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { lockIsAwaited } from "../../testing/postgres/locks.ts";
import { bodyOf, sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

Deno.test("every PATCH that names expected values changes only what was read", async (t) => {
  await using world = await createApiWorld();
  const guarded = routes.filter(takesExpected);
  assert.ok(guarded.length >= 11, `only ${guarded.length} routes take expected values`);
  for (const route of guarded) {
    await t.step(route.operationId, async () => {
      assert.ok(route.errors?.includes("conflict"), "the documentation needs the 409");
      const entities = await createApiEntities(world);
      const token = await world.signInAs("owner", entities.workspaceId);
      const call = sampleApiCalls[route.operationId]!;
      const path = call.path(call.entity?.(entities) ?? "", entities);
      const shared = { path, token, workspaceId: entities.workspaceId };
      const patch = (body: unknown) => world.send({ method: "PATCH", ...shared, body });
      const read = async () => (await world.send({ method: "GET", ...shared })).body;
      const changes = bodyOf(call, entities) as Record<string, unknown>;
      const before = await read();
      const [field = ""] = Object.keys(changes);
      const late = await patch({ ...changes, expected: { [field]: "another value" } });
      assert.deepEqual([late.status, late.body.code], [409, "conflict"]);
      const subject = route.entity!.toLowerCase();
      const text = `Cannot change ${subject}: "${field}" has changed since the resource was read`;
      assert.equal(late.body.error, text);
      assert.deepEqual(await read(), before);
      const wrong = await patch({ ...changes, expected: { colour: "red" } });
      assert.deepEqual([wrong.status, wrong.body.details], [400, [
        { field: "expected.colour", message: "must be a field of the response" },
      ]]);
      const bad = await patch({ ...changes, expected: ["red"] });
      assert.deepEqual([bad.status, bad.body.details], [400, [
        { field: "expected", message: "must be a JSON object" },
      ]]);
      const expected = Object.fromEntries(
        Object.keys(changes).filter((name) => name in before).map((name) => [name, before[name]]),
      );
      const changed = await patch({ ...changes, expected });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      assert.notDeepEqual(await read(), before);
      const repeated = await patch({ ...changes, expected });
      assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
    });
  }
});

Deno.test("of two changes from the same values, the second is refused", async () => {
  await using world = await createApiWorld();
  const { topicId, workspaceId } = await createApiEntities(world);
  const token = await world.createKey([...scopes], workspaceId);
  const path = `/topics/${topicId}`;
  const { body: { name } } = await world.send({ method: "GET", path, token });
  const rename = (to: string) =>
    world.send({ method: "PATCH", path, token, body: { name: to, expected: { name } } });
  const session = await world.sql.reserve();
  await session`begin`;
  await session`select from public.topics as t where t.id = ${topicId} for update`;
  const first = rename("First");
  await lockIsAwaited(world.sql, 1);
  const second = rename("Second");
  await lockIsAwaited(world.sql, 2);
  await session`commit`;
  session.release();
  assert.deepEqual([(await first).status, (await second).status], [200, 409]);
  assert.equal((await world.send({ method: "GET", path, token })).body.name, "First");
});

Deno.test("expected values are compared as JSON, in any order of their keys", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = await createApiEntities(world);
  const token = await world.createKey([...scopes], workspaceId);
  const condition = { all: [{ field: "country", op: "eq", value: "IT" }] };
  const made = await world.send({
    method: "POST",
    path: "/segments",
    token,
    body: { name: "Italians", kind: "live", condition },
  });
  const path = `/segments/${made.body.id}`;
  const patch = (body: unknown) => world.send({ method: "PATCH", path, token, body });
  const other = { all: [{ value: "IT", op: "eq", field: "country" }] };
  const changed = await patch({ name: "Italy", expected: { condition: other } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const longer = { all: [...condition.all, { field: "email", op: "exists" }] };
  const late = await patch({ name: "IT", expected: { name: "Italians", condition: longer } });
  assert.deepEqual([late.status, late.body.error], [
    409,
    'Cannot change segment: "name", "condition" have changed since the resource was read',
  ]);
});

Deno.test("a change can be repeated in each form of its values", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  const condition = { field: "country", op: "eq", value: "IT" };
  await act("PUT", "/segments/italians", { name: "Italians", condition });
  await act("PUT", "/segments/others", { name: "Others", condition: { not: condition } });
  await act("PUT", "/templates/mjml", { name: "M", subject: "M", html: "<p>Hello</p>" });
  const { body: campaign } = await act("POST", "/campaigns", {
    name: "Sale",
    segment: "italians",
    template: "news",
    sender: "main",
    topic: "news",
  });
  const changes: [path: string, change: Record<string, unknown>, expected: string[]][] = [
    [`/campaigns/${campaign.id}`, { segment: "others" }, ["segment"]],
    [`/campaigns/${campaign.id}`, { send_at: "2027-02-01T00:00:00+01:00" }, ["send_at"]],
    ["/segments/others", { condition: { segment: "italians" } }, ["condition", "updated_at"]],
    ["/templates/mjml", { text: "Hello" }, ["text", "is_text_generated", "version"]],
    ["/templates/mjml", { html: null, text: "Hi" }, ["html", "version"]],
  ];
  for (const [path, change, names] of changes) {
    await t.step(`${path} ${Object.keys(change)}`, async () => {
      const { body: before } = await act("GET", path);
      const expected = Object.fromEntries(names.map((name) => [name, before[name]]));
      const first = await act("PATCH", path, { ...change, expected });
      assert.equal(first.status, 200, JSON.stringify(first.body));
      const repeated = await act("PATCH", path, { ...change, expected });
      assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
      assert.notDeepEqual(names.map((name) => repeated.body[name]), Object.values(expected));
    });
  }
  await t.step("a change of something else is refused and rolled back", async () => {
    const path = `/campaigns/${campaign.id}`;
    const { body: before } = await act("GET", path);
    const late = await act("PATCH", path, { name: "Late", expected: { segment: "italians" } });
    assert.equal(late.status, 409);
    assert.deepEqual((await act("GET", path)).body, before);
  });
});

Deno.test("any name of an expected field is checked, and any stored value can be expected", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const deep = (levels: number): unknown => levels === 0 ? 1 : { a: deep(levels - 1) };
  const definition = {
    trigger: { api: true },
    start: "set",
    steps: { set: { update: { attributes: { a: deep(26) } } } },
  };
  const made = await act("POST", "/journeys", { name: "Deep", definition });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = `/journeys/${made.body.id}`;
  const own = JSON.parse('{ "__proto__": null, "a b": 1 }');
  const refused = await act("PATCH", path, { name: "D", expected: own });
  assert.deepEqual(
    [refused.status, refused.body.details.map(({ field }: { field: string }) => field)],
    [400, ["expected.__proto__", 'expected["a b"]']],
  );
  const expected = { definition: made.body.definition };
  const changed = await act("PATCH", path, { name: "D", expected });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
});

Deno.test("the expected properties of an event name are not overwritten", async () => {
  await using world = await createApiWorld();
  const { workspaceId } = await createApiEntities(world);
  const token = await world.createKey([...scopes], workspaceId);
  const { body: { data: [event] } } = await world.send({ path: "/catalogue", token });
  const path = `/catalogue/${event.name}`;
  const read = async () => (await world.send({ path, token })).body.expected_properties;
  const expected_properties = await read();
  const set = (type: string) =>
    world.send({
      method: "PATCH",
      path,
      token,
      body: { properties: [{ property: "total", type }], expected: { expected_properties } },
    });
  assert.deepEqual([(await set("number")).status, (await set("string")).status], [200, 409]);
  assert.equal((await set("number")).status, 200);
  assert.deepEqual(await read(), [{ property: "total", type: "number" }]);
});
