import assert from "node:assert/strict";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const start = Date.parse("2026-11-02T12:00:00Z");

/** Stores events of a customer, a minute apart; each is a name, of one of two ids. */
async function visit({ sql, workspaceId }: ApiWorld, customer: string, names: string[]) {
  await ingestEntries(sql, [
    {
      workspace_id: workspaceId,
      kind: "identify",
      external_id: customer,
      anon_id: `${customer}-2`,
    },
    ...names.map((name, minute) => ({
      workspace_id: workspaceId,
      kind: "event" as const,
      name,
      ...minute % 2 === 0 ? { external_id: customer } : { anon_id: `${customer}-2` },
      occurred_at: new Date(start + minute * 60_000).toISOString(),
    })),
  ]);
}

async function follow(world: ApiWorld) {
  const { status, body } = await world.send({
    method: "POST",
    path: "/explore/paths",
    token: await world.createKey(["events:read"]),
    body: {
      start: { event: "viewed" },
      since: "2026-11-01T00:00:00Z",
      until: "2026-11-04T00:00:00Z",
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  type Node = { kind: string; name: string | null };
  return body.links.map(({ from, to, customers }: { from: Node; to: Node; customers: number }) =>
    `${from.name} > ${to.name ?? to.kind}: ${customers}`
  );
}

const repeat = (name: string, count: number) => Array.from({ length: count }, () => name);

Deno.test("repeats of an event in a row count as one step of a path", async () => {
  await using world = await createApiWorld();
  await visit(world, "ada", [
    ...repeat("viewed", 12),
    ...repeat("carted", 3),
    ...repeat("viewed", 5),
    "bought",
    "left",
  ]);
  await visit(world, "ben", repeat("viewed", 12));
  assert.deepEqual(await follow(world), [
    "viewed > end: 1",
    "viewed > carted: 1",
    "carted > viewed: 1",
    "viewed > bought: 1",
  ]);
});

Deno.test("a path ends after about 100 repeats in a row of one identity", async () => {
  await using world = await createApiWorld();
  await visit(world, "ada", [...repeat("viewed", 150), "bought"]);
  await visit(world, "robot", [...repeat("viewed", 300), "bought"]);
  assert.deepEqual(await follow(world), [
    "viewed > end: 1",
    "viewed > bought: 1",
    "bought > end: 1",
  ]);
});
