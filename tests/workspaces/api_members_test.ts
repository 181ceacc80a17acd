import assert from "node:assert/strict";
import { addMember } from "../../testing/data/accounts.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

/** Calls the api as one user about one workspace. */
function actAs(world: ApiWorld, token: string, workspaceId = world.workspaceId) {
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
}

Deno.test("only owners add and remove owners", async () => {
  await using world = await createApiWorld();
  const admin = actAs(world, await world.signInAs("admin"));
  const owner = actAs(world, await world.signInAs("owner"));
  const userId = await world.createUser();
  await addMember(world.sql, { workspaceId: world.workspaceId, userId, role: "member" });
  const path = `/members/${userId}`;

  const refusals = [
    await admin("POST", "/members", { email: "x@example.com", role: "owner" }),
    await admin("PATCH", path, { role: "owner" }),
  ];
  assert.equal((await owner("PATCH", path, { role: "owner" })).status, 200);
  refusals.push(await admin("PATCH", path, { role: "viewer" }), await admin("DELETE", path));
  for (const { status, body } of refusals) {
    assert.deepEqual([status, body.code], [403, "insufficient_role"]);
  }
  assert.equal((await owner("PATCH", path, { role: "viewer" })).status, 200);
  assert.equal((await admin("DELETE", path)).status, 204);
});

Deno.test("the last owner can neither leave nor step down, even concurrently", async () => {
  await using world = await createApiWorld();
  const ids = [await world.createUser(), await world.createUser()];
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    select ${world.workspaceId}, u.id, 'owner'
    from auth.users as u where u.id = any (array[${ids[0]!}::uuid, ${ids[1]!}::uuid])`;
  const callers = await Promise.all(ids.map(async (id) => ({
    id,
    act: actAs(world, await world.sessions.sign(id)),
  })));
  const left = await Promise.all(callers.map(({ id, act }) => act("DELETE", `/members/${id}`)));
  assert.deepEqual(left.map(({ status }) => status).toSorted(), [204, 409]);
  const last = callers[left.findIndex(({ status }) => status === 409)]!;
  const stepped = await last.act("PATCH", `/members/${last.id}`, { role: "admin" });
  assert.deepEqual([stepped.status, stepped.body.code], [409, "conflict"]);
});

Deno.test("every member may leave, and only admins may remove others", async () => {
  await using world = await createApiWorld();
  const [viewerId, otherId] = [await world.createUser(), await world.createUser()];
  for (const id of [viewerId, otherId]) {
    await world.sql`
      insert into public.workspace_members (workspace_id, user_id, role)
      values (${world.workspaceId}, ${id}, 'viewer')`;
  }
  const viewer = actAs(world, await world.sessions.sign(viewerId));
  assert.equal((await viewer("DELETE", `/members/${otherId}`)).status, 403);
  assert.equal((await viewer("DELETE", `/members/${viewerId.toUpperCase()}`)).status, 204);
  assert.equal((await viewer("GET", "/customers")).status, 404);
});

Deno.test("Auth can delete the last owner's account", async () => {
  await using world = await createApiWorld();
  const userId = await world.createUser();
  await world.sql`delete from auth.users where id = ${userId}`;
  const rows = await world.sql`select from public.workspace_members where user_id = ${userId}`;
  assert.equal(rows.length, 0);
});

Deno.test("only an owner changes a workspace, field by field", async () => {
  await using world = await createApiWorld();
  const owner = actAs(world, await world.signInAs("owner"));
  const path = `/workspaces/${world.workspaceId}`;
  const before = (await owner("GET", path)).body;
  assert.equal(before.fill_browser_ip, true);
  const off = await owner("PATCH", path, { fill_browser_ip: false });
  assert.deepEqual([off.status, off.body.fill_browser_ip, off.body.name], [
    200,
    false,
    before.name,
  ]);
  const renamed = await owner("PATCH", path, { name: "Acme" });
  assert.deepEqual([renamed.body.fill_browser_ip, renamed.body.name], [false, "Acme"]);
  assert.equal((await owner("PATCH", path, { fill_browser_ip: "no" })).status, 400);
  const admin = actAs(world, await world.signInAs("admin"));
  assert.equal((await admin("PATCH", path, { fill_browser_ip: true })).status, 403);
});

Deno.test("admins see when a member was last active, and others do not", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const admin = actAs(world, await world.signInAs("admin"));
  const viewer = actAs(world, await world.signInAs("viewer"));
  const [memberId, strangerId] = [await world.createUser(), await world.createUser()];
  await addMember(sql, { workspaceId, userId: memberId, role: "member" });
  const readActivity = async (act: typeof admin) => {
    const { body } = await act("GET", "/members");
    const entries: [string, string | null][] = body.data.map(
      ({ id, last_active_at }: Record<string, string>) => [id, last_active_at],
    );
    return Object.fromEntries(entries);
  };
  // Some versions of Auth keep no sessions.
  assert.equal((await readActivity(admin))[memberId], null);
  await sql`
    create table auth.sessions (
      id uuid primary key, user_id uuid not null, created_at timestamptz, refreshed_at timestamp
    )`;
  await sql`
    insert into auth.sessions (id, user_id, created_at, refreshed_at)
    values
      (gen_random_uuid(), ${memberId}, '2026-11-18T10:00Z', '2026-11-20 10:00'),
      (gen_random_uuid(), ${memberId}, '2026-11-19T10:00Z', null),
      (gen_random_uuid(), ${strangerId}, '2026-11-21T10:00Z', null)`;
  const seen = await readActivity(admin);
  assert.equal(seen[memberId], "2026-11-20T10:00:00.000Z");
  assert.equal(strangerId in seen, false);
  assert.deepEqual([...new Set(Object.values(await readActivity(viewer)))], [null]);
});

Deno.test("an invitation names who created it", async () => {
  await using world = await createApiWorld();
  const ownerId = await world.createUser();
  await addMember(world.sql, { workspaceId: world.workspaceId, userId: ownerId, role: "owner" });
  const owner = actAs(world, await world.sessions.sign(ownerId));
  const [account] = await world.sql`select email from auth.users where id = ${ownerId}`;
  const made = await owner("POST", "/members", { email: "grace@example.com", role: "viewer" });
  assert.deepEqual([made.status, made.body.invited_by], [201, account!.email]);
  const { body } = await owner("GET", "/members");
  const inviters = body.data.map(({ id, invited_by }: Record<string, string>) => [id, invited_by]);
  assert.deepEqual(
    inviters.toSorted(),
    [[made.body.id, account!.email], [ownerId, null]].toSorted(),
  );
});
