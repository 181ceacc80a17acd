import assert from "node:assert/strict";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const span = { since: "2026-11-01T00:00:00Z", until: "2026-11-04T00:00:00Z", zone: "UTC" };

/** Stores an order for each day of the month and its properties, and asks for measures of them. */
async function sellOrders(world: ApiWorld, orders: [day: number, properties: object][]) {
  const { sql, workspaceId } = world;
  const token = await world.createKey(["events:read"]);
  await ingestEntries(
    sql,
    orders.map(([day, properties]) => ({
      workspace_id: workspaceId,
      kind: "event",
      name: "ordered",
      external_id: "ada",
      occurred_at: `2026-11-0${day}T12:00:00Z`,
      properties: { ...properties },
    })),
  );
  const send = (body: object) =>
    world.send({
      method: "POST",
      path: "/explore/counts",
      token,
      body: { event: { event: "ordered" }, ...span, ...body },
    });
  return {
    send,
    async ask(measure: "sum" | "average", more: object = {}) {
      const { status, body } = await send({ measure, value: "total", ...more });
      assert.equal(status, 200, JSON.stringify(body));
      return body.series.map(({ value, total, counts }: Record<string, unknown>) => (
        { value, total, counts }
      ));
    },
  };
}

Deno.test("sums are exact for decimals and negative numbers", async () => {
  await using world = await createApiWorld();
  const { ask } = await sellOrders(world, [
    [1, { total: 0.1 }],
    [1, { total: 0.2 }],
    [2, { total: 1e21 }],
    [2, { total: 12.345 }],
    [2, { total: -1e21 }],
    [3, { total: -0.3 }],
    [3, { total: 0 }],
  ]);
  // As floats, 0.1 and 0.2 make 0.30000000000000004, and 1e21 swallows 12.345.
  assert.deepEqual(await ask("sum"), [
    { value: null, total: 12.345, counts: [0.3, 12.345, -0.3] },
  ]);
  assert.deepEqual(await ask("average", { interval: "month" }), [
    { value: null, total: 1.763571428571428571, counts: [1.763571428571428571] },
  ]);
});

Deno.test("events without a number do not count for sums and averages", async () => {
  await using world = await createApiWorld();
  const { ask } = await sellOrders(world, [
    [1, { total: 10, plan: "a" }],
    [1, { total: "30", plan: "a" }],
    [1, { total: null, plan: "c" }],
    [1, { plan: "c" }],
    [2, { total: [5], plan: "c" }],
    [2, { total: { net: 5 }, plan: "c" }],
    [2, { total: true, plan: "c" }],
    [3, { total: 20, plan: "a" }],
    [3, { total: 4 }],
  ]);
  assert.deepEqual(await ask("sum"), [{ value: null, total: 34, counts: [10, 0, 24] }]);
  assert.deepEqual(await ask("average", { property: "plan" }), [
    { value: "a", total: 15, counts: [10, null, 20] },
    // Without the property, but with a number.
    { value: null, total: 4, counts: [null, null, 4] },
  ]);
  assert.deepEqual(await ask("sum", { value: "total.net" }), [
    { value: null, total: 5, counts: [0, 5, 0] },
  ]);
  const where = [{ property: "plan", op: "eq", value: "c" }];
  assert.deepEqual(await ask("sum", { event: { event: "ordered", where } }), []);
  assert.deepEqual(await ask("average", { value: "plan" }), []);
});

Deno.test("the top values have the largest sums, and of averages the most events", async () => {
  await using world = await createApiWorld();
  const { ask } = await sellOrders(world, [
    [1, { total: 500, plan: "rare" }],
    [1, { total: -20, plan: "refunded" }],
    ...Array.from({ length: 3 }, (): [number, object] => [2, { total: 5, plan: "usual" }]),
  ]);
  const rest = { total: -5, counts: [-20, 15, 0] };
  assert.deepEqual(await ask("sum", { property: "plan", top: 1 }), [
    { value: "rare", total: 500, counts: [500, 0, 0] },
    { value: null, ...rest },
  ]);
  assert.deepEqual(await ask("average", { property: "plan", top: 1 }), [
    { value: "usual", total: 5, counts: [null, 5, null] },
    { value: null, total: 240, counts: [240, null, null] },
  ]);
  const sums = await ask("sum", { property: "plan" });
  assert.deepEqual(sums.map(({ value }: { value: string }) => value), [
    "rare",
    "usual",
    "refunded",
  ]);
});

Deno.test("a sum beyond a float is refused, and an average of such numbers is not", async () => {
  await using world = await createApiWorld();
  const { ask, send } = await sellOrders(world, [
    [1, { total: 1.7e308 }],
    [1, { total: 1.7e308 }],
    [2, { total: 5e-324 }],
  ]);
  const { status, body } = await send({ measure: "sum", value: "total" });
  assert.equal(status, 400);
  assert.equal(body.code, "invalid_input");
  assert.deepEqual(body.details, [{
    field: "value",
    message: "must have numbers whose sum is within the range of a 64-bit float",
  }]);
  const [{ counts }] = await ask("average");
  assert.deepEqual(counts, [1.7e308, 5e-324, null]);
});

Deno.test("a value is required for sums and averages, and refused for counts", async () => {
  await using world = await createApiWorld();
  const { send } = await sellOrders(world, []);
  const required = (measure: string) =>
    `is required with "${measure}": the property whose numbers are added up`;
  const levels = (count: number) => Array(count).fill("a").join(".");
  const refused: [object, string][] = [
    [{ measure: "sum" }, required("sum")],
    [{ measure: "average", property: "total" }, required("average")],
    [{ measure: "events", value: "total" }, 'must be left out with "events"'],
    [{ value: "total" }, 'must be left out with "events"'],
    [{ measure: "customers", value: "total" }, 'must be left out with "customers"'],
    [{ measure: "sum", value: 5 }, "must be a string"],
    [{ measure: "sum", value: null }, "must be a string"],
    [{ measure: "sum", value: "a..b" }, "must be 1 to 10 names with dots between them"],
    [{ measure: "sum", value: levels(11) }, "must be 1 to 10 names with dots between them"],
  ];
  for (const [given, message] of refused) {
    const { status, body } = await send(given);
    assert.equal(status, 400, JSON.stringify(given));
    assert.deepEqual(body.details, [{ field: "value", message }], JSON.stringify(given));
  }
  for (const value of ["", "a".repeat(501)]) {
    const { status, body } = await send({ measure: "sum", value });
    assert.equal(status, 400);
    assert.deepEqual(body.details.map(({ field }: { field: string }) => field), ["value"]);
  }
  for (const value of [levels(10), "a".repeat(500)]) {
    assert.equal((await send({ measure: "sum", value })).status, 200);
  }
  const { body } = await send({ measure: "median", value: "total" });
  assert.deepEqual(body.details.map(({ field }: { field: string }) => field), ["measure"]);
});
