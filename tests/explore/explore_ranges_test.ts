import assert from "node:assert/strict";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

interface Series {
  kind: string;
  value: unknown;
  range?: { from: number | null; to: number | null };
  total: number;
  counts: number[];
}

/** Stores an order per amount, of four customers, and asks for counts by amount. */
async function sellFor(world: ApiWorld, amounts: unknown[]) {
  const { sql, workspaceId } = world;
  const token = await world.createKey(["events:read"]);
  await ingestEntries(
    sql,
    amounts.map((amount, index) => ({
      workspace_id: workspaceId,
      kind: "event",
      name: "ordered",
      external_id: `user-${index % 4}`,
      occurred_at: `2026-11-0${1 + index % 3}T12:00:00Z`,
      properties: { ...amount !== undefined && { amount } },
    })),
  );
  return async (more: object = {}): Promise<Series[]> => {
    const { status, body } = await world.send({
      method: "POST",
      path: "/explore/counts",
      token,
      body: {
        event: { event: "ordered" },
        since: "2026-11-01T00:00:00Z",
        until: "2026-11-04T00:00:00Z",
        zone: "UTC",
        property: "amount",
        ...more,
      },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.series;
  };
}

const countUp = (count: number, step = 1) => Array.from({ length: count }, (_, n) => n * step);

const listTotals = (series: Series[]) =>
  series.map(({ kind, range, value, total }) => [
    kind,
    ...range ? [range.from, range.to] : [value],
    total,
  ]);

Deno.test("many numbers of a property are split into ranges, in their order", async () => {
  await using world = await createApiWorld();
  const ask = await sellFor(world, [...countUp(80), "free", true, undefined, undefined]);
  const series = await ask();
  assert.deepEqual(listTotals(series), [
    ["range", 0, 20, 20],
    ["range", 20, 40, 20],
    ["range", 40, 60, 20],
    ["range", 60, 80, 20],
    ["other", null, 2],
    ["missing", null, 2],
  ]);
  assert.equal(series[0]?.value, null);
  assert.deepEqual(series[0]?.counts, [7, 7, 6]);
  const customers = await ask({ measure: "customers", top: 1 });
  assert.deepEqual(customers.map(({ total }) => total), [4, 4, 4, 4, 2, 2]);
  const sums = await ask({ measure: "sum", value: "amount" });
  assert.deepEqual(sums.map(({ total }) => total), [190, 590, 990, 1390]);
});

Deno.test("few numbers of a property are counted one by one, and so are those that the top includes", async () => {
  await using world = await createApiWorld();
  const ask = await sellFor(world, [...countUp(10), 0, 0, 1]);
  assert.deepEqual(listTotals(await ask({ top: 2 })), [
    ["value", 0, 3],
    ["value", 1, 2],
    ["other", null, 8],
  ]);
  await using other = await createApiWorld();
  const askOther = await sellFor(other, countUp(12));
  assert.equal((await askOther({ top: 12 })).length, 12);
  assert.equal((await askOther({ top: 11 }))[0]?.kind, "range");
});

Deno.test("few numbers far away from the others leave the ranges narrow and their ends open", async () => {
  await using world = await createApiWorld();
  const ask = await sellFor(world, [-5000, ...countUp(98, 0.01), 1e300]);
  assert.deepEqual(listTotals(await ask()), [
    ["range", null, 0.2, 21],
    ["range", 0.2, 0.4, 20],
    ["range", 0.4, 0.6, 20],
    ["range", 0.6, 0.8, 20],
    ["range", 0.8, null, 19],
  ]);
});

Deno.test("whole numbers have whole ranges, also when nearly all are the same", async () => {
  await using world = await createApiWorld();
  const ask = await sellFor(world, [...Array.from({ length: 400 }, () => 1), ...countUp(16)]);
  const ranges = await ask();
  assert.deepEqual(listTotals(ranges).slice(0, 2), [["range", 0, 5, 405], ["range", 5, 10, 5]]);
  await using other = await createApiWorld();
  const askOther = await sellFor(other, [...countUp(200).map((n) => n % 3), ...countUp(13)]);
  assert.deepEqual(listTotals(await askOther()), [
    ["range", 0, 1, 68],
    ["range", 1, 2, 68],
    ["range", 2, null, 77],
  ]);
});

Deno.test("numbers among mostly texts are counted as before", async () => {
  await using world = await createApiWorld();
  const ask = await sellFor(world, [...countUp(12), ...Array.from({ length: 12 }, () => "free")]);
  assert.deepEqual(listTotals(await ask({ top: 1 })), [["value", "free", 12], ["other", null, 12]]);
});
