import assert from "node:assert/strict";
import { readReason } from "../../supabase/functions/api/contract/read_reason.ts";
import { startTrack } from "../../testing/service/app.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";

interface Reason {
  reason: string;
  field: string | null;
  origin: string;
  source_id: string | null;
  entries: number;
  first_at: string;
  last_at: string;
  example_id: string;
}

async function readAs(world: ApiWorld, role: "member" | "viewer") {
  const token = await world.signInAs(role);
  const { workspaceId } = world;
  return async (path: string) => {
    const { status, body } = await world.send({ method: "GET", path, token, workspaceId });
    assert.equal(status, 200);
    return body;
  };
}

async function trackOn(world: ApiWorld) {
  return startTrack({ url: world.db.url, key: await world.createKey(["track:write"]) });
}

const misspelled = 'Field "name" is required; field "nmae" is unknown: did you mean "name"? ' +
  'Or put it under "properties"';

Deno.test("rejected entries are grouped by reason, wherever they were in their bulk", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "u1", nmae: "a" });
  await track.send({
    events: [{ external_id: "u1", nmae: "b" }, { external_id: "", name: "b" }, {
      external_id: "u2",
      nmae: "c",
    }],
  });
  await track.send({ batch: [{ type: "track", userId: "u1" }] }, { path: "/track/v1/batch" });
  const read = await readAs(world, "viewer");
  const { data, entries, is_complete } = await read("/rejected-entries/reasons");
  assert.deepEqual([entries, is_complete], [5, true]);
  assert.deepEqual(
    data.map((each: Reason) => [each.entries, each.field, each.origin]),
    [[3, "name", "track"], [1, "event", "segment"], [1, "external_id", "track"]],
  );
  const [most] = data as Reason[];
  assert.equal(most!.reason, misspelled);
  const { data: listed } = await read("/rejected-entries?field=name&sort=oldest");
  assert.deepEqual(
    [most!.first_at, most!.last_at, most!.example_id],
    [listed[0].rejected_at, listed[2].rejected_at, listed[2].id],
  );
  const only = await read(`/rejected-entries?reason=${encodeURIComponent(misspelled)}`);
  assert.deepEqual(
    only.data.map(({ id }: { id: string }) => id),
    listed.map((
      { id }: { id: string },
    ) => id).toReversed(),
  );
  assert(listed.every(({ error }: { error: string }) => readReason(error) === most!.reason));
});

Deno.test("unknown ids are one reason", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "u1", name: "a" });
  for (const previous_id of ["u8", 'u"9']) {
    await track.send({ type: "alias", external_id: "u1", previous_id });
  }
  const read = await readAs(world, "viewer");
  const { data } = await read("/rejected-entries/reasons");
  const reason = 'Cannot merge: no customer has the previous_id "…"';
  assert.deepEqual(
    data.map((each: Reason) => [each.reason, each.entries]),
    [[reason, 2]],
  );
  const { data: listed } = await read(`/rejected-entries?reason=${encodeURIComponent(reason)}`);
  assert.deepEqual(
    listed.map(({ error }: { error: string }) => readReason(error)),
    [reason, reason],
  );
});

Deno.test("the same reason at another source is another group", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const sources = [
    await inbound.createSource({ mapping: { name: "/name" } }),
    await inbound.createSource({ mapping: { name: "/name" } }),
  ];
  for (const source of [...sources, sources[0]!]) {
    await inbound.deliver({ source, body: '{"name":"ping"}' });
  }
  const read = await readAs(world, "viewer");
  const { data } = await read("/rejected-entries/reasons");
  assert.deepEqual(
    data.map(({ source_id, entries }: Reason) => [source_id, entries]),
    [[sources[0]!.id, 2], [sources[1]!.id, 1]],
  );
  const { data: [only], entries } = await read(
    `/rejected-entries/reasons?source_id=${sources[1]!.id}`,
  );
  assert.deepEqual([only, entries], [data[1], 1]);
});

Deno.test("entries that were resent, are older or beyond the newest are in no group", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  for (const name of ["a", "b", "c"]) await track.send({ external_id: "null", name });
  const read = await readAs(world, "viewer");
  const { data: [newest, middle] } = await read("/rejected-entries");
  const count = async (query: string) => {
    const { data, entries, is_complete } = await read(`/rejected-entries/reasons?${query}`);
    return [data[0]?.entries ?? 0, entries, is_complete];
  };
  assert.deepEqual(await count(""), [3, 3, true]);
  assert.deepEqual(await count("newest=2"), [2, 2, false]);
  assert.deepEqual(await count(`since=${middle.rejected_at}`), [2, 2, true]);
  assert.deepEqual(await count(`until=${newest.rejected_at}`), [2, 2, true]);
  const sent = await world.send({
    method: "POST",
    path: `/rejected-entries/${newest.id}/resend`,
    token: await world.signInAs("member"),
    workspaceId: world.workspaceId,
    body: { entry: { external_id: "u1", name: "c" } },
  });
  assert.equal(sent.status, 200);
  assert.deepEqual(await count(""), [2, 2, true]);
  assert.deepEqual(await count("newest=1"), [0, 0, false]);
});
