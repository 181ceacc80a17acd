import assert from "node:assert/strict";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const exportSegment = routes.find(({ operationId }) => operationId === "exportSegment");
const exported = routes.filter(({ operationId }) => operationId.startsWith("export"));

Deno.test("every export has the rights, the filters and the rows of its list", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const { workspaceId, segmentId, customerId } = entities;
  const token = await world.signInAs("admin", workspaceId);
  // A line of the audit log.
  const change = { path: `/segments/${segmentId}`, body: { name: "Friends of friends" } };
  await world.send({ ...change, method: "PATCH", token, workspaceId });
  await world.sql`
    insert into public.segment_changes (workspace_id, at, id, segment_id, customer_id, change, cause)
    values (${workspaceId}, now(), ${crypto.randomUUID()}, ${segmentId}, ${customerId}, 'entered',
      'list')`;
  for (const route of exported) {
    await t.step(route.operationId, async () => {
      const listPath = route.path.replace(/\/export$/, "");
      const wanted = route === exportSegment ? `${listPath}/customers` : listPath;
      const list = routes.find(({ method, path }) => method === "GET" && path === wanted)!;
      assert.deepEqual([route.scopes, route.leastRole], [list.scopes, list.leastRole]);
      const id = sampleApiCalls[route.operationId]!.entity?.(entities) ?? "";
      const paths = [list.path, route.path].map((path) => path.replace("{id}", id));
      const page = await world.send({ path: paths[0]!, token, workspaceId });
      const path = `${paths[1]}?format=ndjson`;
      const lines = await world.send({ path, token, workspaceId });
      assert.equal(lines.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
      const rows = lines.body.trimEnd().split("\n").map((line: string) => JSON.parse(line));
      assert.deepEqual(rows, page.body.data);
      const csv = await world.send({ path: paths[1]!, token, workspaceId });
      const [head] = csv.body.split("\r\n");
      assert.deepEqual(head.split(",").toSorted(), Object.keys(page.body.data[0]).toSorted());
      const paged = await world.send({ path: `${path}&limit=5`, token, workspaceId });
      assert.equal(paged.status, 400, "an export has no pages");
    });
  }
});

Deno.test("an export refuses filters that its list does not combine", async () => {
  await using world = await createApiWorld();
  const { workspaceId, journeyId } = await createApiEntities(world);
  const token = await world.signInAs("viewer", workspaceId);
  for (const path of [`/journeys/${journeyId}/runs`, `/journeys/${journeyId}/runs/export`]) {
    const { status, body } = await world.send({ path: `${path}?step=pause`, token, workspaceId });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /must be given together with version/);
  }
});

Deno.test("an export streams every row of a filtered list, page by page", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["customers:read", "events:read"]);
  const { sql, workspaceId } = world;
  const ids = Array.from({ length: 450 }, (_, n) => `user-${n}`);
  await ingestEntries(
    sql,
    ids.map((external_id, n) => ({
      workspace_id: workspaceId,
      kind: "event" as const,
      external_id,
      name: n % 3 === 0 ? "refund" : "order",
      properties: { total: n },
    })),
  );
  const filter = encodeURIComponent(JSON.stringify({ event: "order" }));
  const path = `/customers/export?format=ndjson&filter=${filter}`;
  const { body } = await world.send({ path, token });
  const rows = body.trimEnd().split("\n").map((line: string) => JSON.parse(line));
  const wanted = ids.filter((_, n) => n % 3 !== 0);
  const found = rows.map((row: { external_id: string }) => row.external_id);
  assert.deepEqual(found.toSorted(), wanted.toSorted());
  const events = await world.send({ path: "/events/export?name=refund", token });
  assert.equal(events.body.trimEnd().split("\r\n").length, 1 + 150);
  assert.equal(
    events.headers.get("content-disposition"),
    'attachment; filename="events.csv"',
  );
  const bad = await world.send({ path: `/customers/export?filter=%7B%7D`, token });
  assert.deepEqual([bad.status, bad.body.details[0].field], [400, "filter"]);
});
