import assert from "node:assert/strict";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import { startTrack } from "../../testing/service/app.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

async function trackOn(world: ApiWorld) {
  return startTrack({ url: world.db.url, key: await world.createKey(["track:write"]) });
}

async function actAs(world: ApiWorld, role: "member" | "viewer") {
  const token = await world.signInAs(role);
  const { workspaceId } = world;
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path: `/rejected-entries${path}`, token, workspaceId, body });
}

type Act = Awaited<ReturnType<typeof actAs>>;

/** Names of the entries that a query of the list finds, the oldest first. */
async function listNames(act: Act, query: string): Promise<string[]> {
  const { body } = await act("GET", `?sort=oldest&${query}`);
  return body.data.map(({ entry }: { entry: { name: string } }) => entry.name);
}

async function readReasons(act: Act) {
  return (await act("GET", "/reasons")).body.data;
}

/** The body that discards the entries of a group. */
function allOf(
  { reason, code, origin, field, source_id }: Record<string, unknown>,
  until?: string,
) {
  return {
    ...{ reason, code, origin, field, source_id },
    until: until ?? new Date(Date.now() + 60_000).toISOString(),
  };
}

Deno.test("a discarded entry leaves its group, is found by its status, and can still be resent", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  for (const name of ["a", "b"]) await track.send({ external_id: "null", name });
  const act = await actAs(world, "member");
  const { data: [newest] } = (await act("GET", "")).body;
  const { status, body } = await act("POST", `/${newest.id}/discard`);
  assert.equal(status, 200);
  const { discarded_at } = (await act("GET", `/${newest.id}`)).body;
  assert.notEqual(discarded_at, null);
  assert.deepEqual(body, { id: newest.id, discarded_at });
  const again = await act("POST", `/${newest.id}/discard`);
  assert.deepEqual(again.body, body);
  assert.deepEqual(await listNames(act, "discarded=true"), ["b"]);
  assert.deepEqual(await listNames(act, "discarded=false"), ["a"]);
  assert.deepEqual(await listNames(act, ""), ["a", "b"]);
  const [group] = await readReasons(act);
  assert.equal(group.entries, 1);
  const entry = { external_id: "u1", name: "b" };
  assert.equal((await act("POST", `/${newest.id}/resend`, { entry })).status, 200);
  const late = await act("POST", `/${newest.id}/discard`);
  assert.deepEqual([late.status, late.body.error], [
    409,
    "Cannot discard entry: it was already resent",
  ]);
  const audited = await world.sql`
    select count(*)::integer as count from public.audit_log
    where workspace_id = ${world.workspaceId} and action = 'rejected_entry.discard'
      and entity_id = ${newest.id}`;
  assert.equal(audited[0]!.count, 1, "a repeat changes nothing");
});

Deno.test("entries that are wrong as a whole are one group, alone and in a bulk, and are discarded", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ name: "alone" });
  await track.send({ events: [{ external_id: "u1", name: "stored" }, { name: "in a bulk" }] });
  const act = await actAs(world, "member");
  const groups = await readReasons(act);
  assert.deepEqual(
    groups.map(({ reason, field, entries }: Record<string, unknown>) => [reason, field, entries]),
    [['Entry must have "external_id" or "anon_id"', "", 2]],
  );
  assert.deepEqual(await listNames(act, "field="), ["alone", "in a bulk"]);
  const { body } = await act("POST", "/discard", allOf(groups[0]));
  assert.deepEqual(body, { discarded: 2, is_complete: true });
  const refused = await act("POST", "/discard", { ...allOf(groups[0]), field: "x".repeat(201) });
  assert.deepEqual([refused.status, refused.body.error], [
    400,
    'Field "field" must be at most 200 characters long',
  ]);
});

Deno.test("the audit log keeps the code of discarded entries, not what the entries say", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "u1", name: "a", properties: { "ada@example.com": "\0" } });
  const act = await actAs(world, "member");
  const [group] = await readReasons(act);
  assert.match(group.reason, /ada@example\.com/);
  for (let call = 0; call < 2; call++) await act("POST", "/discard", allOf(group));
  const logged = await world.sql`
    select a.entity_id, a.details from public.audit_log as a
    where a.workspace_id = ${world.workspaceId} and a.action = 'rejected_reason.discard'`;
  assert.deepEqual([...logged], [{
    entity_id: "invalid_input",
    details: { origin: "track", source_id: null, discarded: 1 },
  }]);
});

Deno.test("discarding a reason leaves other reasons, sources, times and workspaces alone", async () => {
  await using world = await createApiWorld();
  await using inbound = await createInboundWorld({ on: world });
  const sources = [
    await inbound.createSource({ mapping: { name: "/name" } }),
    await inbound.createSource({ mapping: { name: "/name" } }),
  ];
  for (const source of sources) await inbound.deliver({ source, body: '{"name":"ping"}' });
  await using track = await trackOn(world);
  for (const name of ["a", "b"]) await track.send({ external_id: "null", name });
  await track.send({ external_id: "u1" });
  const act = await actAs(world, "member");
  const [most, ...others] = await readReasons(act);
  assert.equal(most.entries, 2);
  const early = await act("POST", "/discard", allOf(most, most.last_at));
  assert.deepEqual(early.body, { discarded: 1, is_complete: true });
  const rest = await act("POST", "/discard", allOf(most));
  assert.deepEqual(rest.body, { discarded: 1, is_complete: true });
  assert.deepEqual(await readReasons(act), others);
  const ofSource = others.find((each: { source_id: string }) => each.source_id === sources[0]!.id);
  assert.equal((await act("POST", "/discard", allOf(ofSource))).body.discarded, 1);
  const left = await readReasons(act);
  assert.deepEqual(
    left.map((each: { source_id: string | null }) => each.source_id).toSorted(),
    [null, sources[1]!.id].toSorted(),
  );
  const other = await world.createWorkspace();
  const stranger = await world.signInAs("owner", other);
  for (const group of left) {
    const call = { method: "POST", path: "/rejected-entries/discard", body: allOf(group) };
    const { body } = await world.send({ ...call, token: stranger, workspaceId: other });
    assert.deepEqual(body, { discarded: 0, is_complete: true });
  }
  assert.deepEqual(await readReasons(act), left);
});

Deno.test("one call discards 10,000 entries of a reason, and says whether there are more", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "null", name: "a" });
  await world.sql`
    insert into public.rejected_entries (
      workspace_id, id, rejected_at, origin, entry, code, error, field, field_in_entry, reason_hash,
      request_id
    )
    select
      r.workspace_id, n.id, private.uuid_v7_time(n.id), r.origin, r.entry, r.code, r.error, r.field,
      r.field_in_entry, r.reason_hash, r.request_id
    from public.rejected_entries as r
    cross join lateral (
      select private.uuid_v7(r.rejected_at - i * interval '1 millisecond') as id
      from generate_series(1, 10000) as i
    ) as n`;
  const act = await actAs(world, "member");
  const [group] = await readReasons(act);
  const calls = [];
  for (let n = 0; n < 2; n++) calls.push((await act("POST", "/discard", allOf(group))).body);
  assert.deepEqual(calls, [
    { discarded: 10_000, is_complete: false },
    { discarded: 1, is_complete: true },
  ]);
});

Deno.test("only members and keys that may write discard entries, and only those of their workspace", async () => {
  await using world = await createApiWorld();
  await using track = await trackOn(world);
  await track.send({ external_id: "null", name: "a" });
  const viewer = await actAs(world, "viewer");
  const { data: [row] } = (await viewer("GET", "")).body;
  const [group] = await readReasons(viewer);
  const other = await world.createWorkspace();
  const callers = [
    { token: await world.signInAs("viewer"), workspaceId: world.workspaceId, status: 403 },
    { token: await world.createKey(["events:read"]), status: 403 },
    // A publishable key is in every browser.
    { token: await world.createKey(["track:write"]), status: 403 },
    { token: await world.createKey(["events:write"], other), status: 404 },
  ];
  for (const { status, ...who } of callers) {
    const path = `/rejected-entries/${row.id}/discard`;
    assert.equal((await world.send({ method: "POST", path, ...who })).status, status);
  }
  const refused = await viewer("POST", "/discard", allOf(group));
  assert.equal(refused.status, 403);
  assert.equal((await viewer("GET", `/${row.id}`)).body.discarded_at, null);
});
