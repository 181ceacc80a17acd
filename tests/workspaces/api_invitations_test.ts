import assert from "node:assert/strict";
import { confirmAccount, insertAccount } from "../../testing/data/accounts.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { actAsAdmin, actAsGuest } from "../../testing/data/invitations.ts";

const guestEmail = "ada@example.com";

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

async function listAudits({ sql, workspaceId }: ApiWorld) {
  return await sql<{ action: string; actor_id: string; entity_id: string; details: object }[]>`
    select action, actor_id, entity_id, details from public.audit_log
    where workspace_id = ${workspaceId} order by created_at`;
}

Deno.test("an invitation shows its workspace and inviter, and changes nothing until it is accepted", async () => {
  await using world = await createApiWorld();
  const guest = await actAsGuest(world, guestEmail);
  const admin = await actAsAdmin(world);
  const { body: invited } = await admin.invite(guestEmail, "member");
  const { body, status } = await guest.list();
  const [inviter] = await world.sql`
    select u.email, w.name from auth.users as u, public.invitations as i, public.workspaces as w
    where u.id = i.invited_by and w.id = i.workspace_id`;
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: [{
      id: invited.id,
      workspace: { id: world.workspaceId, name: inviter!.name },
      role: "member",
      invited_by: inviter!.email,
      created_at: invited.created_at,
      expires_at: invited.expires_at,
    }],
    next_cursor: null,
  });
  assert.deepEqual(await guest.workspaces(), ["own owner"]);
  // A script that names no workspace continues.
  assert.equal((await world.send({ path: "/customers", token: guest.token })).status, 200);
  const { token } = guest;
  const { workspaceId } = world;
  assert.equal((await world.send({ path: "/customers", token, workspaceId })).status, 404);
});

Deno.test("accepting makes a member with the invitation's role", async () => {
  await using world = await createApiWorld();
  const guest = await actAsGuest(world, guestEmail);
  const admin = await actAsAdmin(world);
  const { body: invited } = await admin.invite(guestEmail, "member");
  const { status, body } = await guest.accept(invited.id);
  assert.deepEqual([status, body.id, body.role], [200, world.workspaceId, "member"]);
  assert.deepEqual(await guest.workspaces(), ["joined member", "own owner"]);
  assert.deepEqual(await admin.find(guestEmail), ["member active"]);
  assert.deepEqual(idsOf((await guest.list()).body), []);
});

Deno.test("declining makes no member, and the admins see it", async () => {
  await using world = await createApiWorld();
  const guest = await actAsGuest(world, guestEmail);
  const admin = await actAsAdmin(world);
  const { body: { id } } = await admin.invite(guestEmail);
  assert.equal((await guest.decline(id)).status, 204);
  assert.deepEqual(await guest.workspaces(), ["own owner"]);
  assert.deepEqual(idsOf((await guest.list()).body), []);
  assert.deepEqual(await admin.find(guestEmail), ["viewer declined"]);
  const late = await guest.accept(id);
  assert.deepEqual([late.status, late.body.code], [409, "conflict"]);
  assert.equal(
    late.body.error,
    "Cannot accept the invitation: you declined it, ask for a new one",
  );
});

Deno.test("the response to an invitation does not reveal if the address has an account", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  await world.createUser("known@example.com");
  const responses = [
    await admin.invite("known@example.com"),
    await admin.invite("unknown@example.com"),
    await admin.invite("known@example.com"),
    await admin.invite("unknown@example.com"),
  ];
  const shown = responses.map(({ status, body }) =>
    JSON.stringify([status, body])
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/(un)?known@/g, "<address>@")
  );
  assert.deepEqual(responses.map(({ status }) => status), [201, 201, 409, 409]);
  assert.equal(shown[0], shown[1]);
  assert.equal(shown[2], shown[3]);
  const listed = (await admin.list()).filter(({ email }) => email.includes("known@"));
  assert.deepEqual(listed.map(({ state, user_id }) => [state, user_id]), [
    ["invited", null],
    ["invited", null],
  ]);
});

Deno.test("only the user with the invited, confirmed address sees and answers an invitation", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const { body: { id } } = await admin.invite(guestEmail, "admin");
  const squatterId = await insertAccount(world.sql, guestEmail);
  const strangers = [
    await actAsGuest(world, guestEmail, squatterId),
    await actAsGuest(world, "ada@example.org"),
    await actAsGuest(world, "", await world.createUser("")),
  ];
  const unknown = await strangers[0]!.accept(crypto.randomUUID());
  for (const stranger of strangers) {
    assert.deepEqual(idsOf((await stranger.list()).body), []);
    for (const response of [await stranger.accept(id), await stranger.decline(id)]) {
      assert.deepEqual([response.status, response.body.code], [404, "not_found"]);
      assert.equal(response.body.error, unknown.body.error);
    }
  }
  assert.deepEqual(await admin.find(guestEmail), ["admin invited"]);
  await confirmAccount(world.sql, squatterId);
  assert.deepEqual(idsOf((await strangers[0]!.list()).body), [id]);
});

Deno.test("signing up with an invited address joins nothing: the invitation waits", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const { body: { id } } = await admin.invite("Ada@Example.com", "member");
  const guest = await actAsGuest(world, "ADA@example.com");
  assert.deepEqual(await guest.workspaces(), ["own owner"]);
  assert.deepEqual(idsOf((await guest.list()).body), [id]);
  assert.equal((await guest.accept(id)).status, 200);
  assert.deepEqual(await guest.workspaces(), ["joined member", "own owner"]);
});

Deno.test("a changed address loses its invitations, and the new one has its own", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, "old@example.com");
  const { body: { id: oldId } } = await admin.invite("old@example.com");
  const { body: { id: newId } } = await admin.invite(guestEmail);
  await world.sql`update auth.users set email = ${guestEmail} where id = ${guest.userId}`;
  assert.deepEqual(idsOf((await guest.list()).body), [newId]);
  assert.equal((await guest.accept(oldId)).status, 404);
  assert.equal((await guest.accept(newId)).status, 200);
});

Deno.test("accepting or declining again changes nothing", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await admin.invite(guestEmail, "member");
  const first = await guest.accept(id);
  await admin.changeRole(guest.userId, "admin");
  const again = await guest.accept(id);
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.deepEqual([first.body.role, again.body.role], ["member", "admin"]);
  const declined = await guest.decline(id);
  assert.deepEqual([declined.status, declined.body.code], [409, "conflict"]);

  const other = await actAsGuest(world, "b@example.com");
  const { body: second } = await admin.invite("b@example.com");
  assert.deepEqual([
    (await other.decline(second.id)).status,
    (await other.decline(second.id)).status,
  ], [204, 204]);
  const audits = (await listAudits(world)).map(({ action }) => action);
  assert.equal(audits.filter((action) => action === "member.join").length, 1);
  assert.equal(audits.filter((action) => action === "member.decline").length, 1);
});

Deno.test("a removed member cannot rejoin with the old invitation", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await admin.invite(guestEmail);
  await guest.accept(id);
  assert.equal((await admin.withdraw(guest.userId)).status, 204);
  assert.equal((await guest.accept(id)).status, 404);
  assert.deepEqual(await guest.workspaces(), ["own owner"]);
  const again = await admin.invite(guestEmail, "member");
  assert.equal((await guest.accept(again.body.id)).body.role, "member");
});

Deno.test("accepting uses the invitation's current role", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await admin.invite(guestEmail, "admin");
  assert.equal((await admin.changeRole(id, "viewer")).status, 200);
  assert.equal((await guest.list()).body.data[0].role, "viewer");
  assert.equal((await guest.accept(id)).body.role, "viewer");
  // It is a member's by now.
  assert.equal((await admin.changeRole(id, "admin")).status, 404);
  assert.equal((await admin.withdraw(id)).status, 404);
  assert.deepEqual(await admin.find(guestEmail), ["viewer active"]);
});

Deno.test("a withdrawn or expired invitation cannot be accepted", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: withdrawn } = await admin.invite(guestEmail);
  assert.equal((await admin.withdraw(withdrawn.id)).status, 204);
  assert.equal((await guest.accept(withdrawn.id)).status, 404);
  const { body: ended } = await admin.invite(guestEmail);
  await world.sql`update public.invitations set expires_at = now()`;
  assert.deepEqual(idsOf((await guest.list()).body), []);
  const late = await guest.accept(ended.id);
  assert.deepEqual([late.status, late.body.code], [409, "conflict"]);
  assert.equal(late.body.error, "Cannot accept the invitation: it has ended, ask for a new one");
  assert.deepEqual(await guest.workspaces(), ["own owner"]);
});

Deno.test("inviting a member or an open invitation is a conflict; a declined or expired one is replaced", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const first = await admin.invite(guestEmail);
  const twice = await admin.invite("ADA@example.com", "admin");
  assert.deepEqual([twice.status, twice.body.code], [409, "conflict"]);
  assert.equal(twice.body.error, 'Cannot invite "ADA@example.com": already invited');
  await guest.decline(first.body.id);
  const second = await admin.invite(guestEmail, "member");
  assert.deepEqual([second.status, second.body.state], [201, "invited"]);
  await world.sql`update public.invitations set expires_at = now()`;
  const third = await admin.invite(guestEmail, "admin");
  assert.equal(third.status, 201);
  for (const { body: { id } } of [first, second]) {
    assert.equal((await guest.accept(id)).status, 404);
  }
  assert.equal((await guest.accept(third.body.id)).body.role, "admin");
  const member = await admin.invite(guestEmail);
  assert.equal(member.body.error, `Cannot invite "${guestEmail}": already a member`);
});

Deno.test("a deleted workspace has no invitations", async () => {
  await using world = await createApiWorld();
  const owner = await actAsAdmin(world, "owner");
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await owner.invite(guestEmail);
  const { token } = owner;
  const path = `/workspaces/${world.workspaceId}`;
  assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);
  assert.deepEqual(idsOf((await guest.list()).body), []);
  assert.equal((await guest.accept(id)).status, 404);
});

Deno.test("invitations do not count as workspaces, and 100 workspaces leave no room for another", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await admin.invite(guestEmail);
  const strangers = await world.sql<{ id: string }[]>`
    insert into public.workspaces (name) select 'Spam' from generate_series(1, 120) returning id`;
  await world.sql`
    insert into public.invitations (workspace_id, email, role)
    select id, ${guestEmail}, 'viewer' from public.workspaces where name = 'Spam'`;
  const { token } = guest;
  const create = () =>
    world.send({ method: "POST", path: "/workspaces", token, body: { name: "Mine" } });
  assert.equal((await create()).status, 201);
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    select id, ${guest.userId}, 'viewer' from public.workspaces where name = 'Spam' limit 98`;
  const full = await guest.accept(id);
  assert.deepEqual([full.status, full.body.error], [
    409,
    "Cannot accept the invitation: you belong to 100 workspaces already",
  ]);
  assert.equal((await guest.list()).body.data.length, 50);
  assert.equal(strangers.length, 120);
});

Deno.test("the audit log records who invited, joined, declined and withdrew", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const [one, other] = [
    await actAsGuest(world, guestEmail),
    await actAsGuest(world, "grace@example.com"),
  ];
  const { body: joined } = await admin.invite(guestEmail, "member");
  const { body: declined } = await admin.invite("grace@example.com");
  await one.accept(joined.id);
  await other.decline(declined.id);
  await admin.withdraw(declined.id);
  const entries = (await listAudits(world)).slice(2);
  assert.deepEqual(
    [...entries].map(({ action, actor_id, entity_id, details }) => ({
      action,
      actor_id,
      entity_id,
      details,
    })).slice(0, 2),
    [
      {
        action: "member.join",
        actor_id: one.userId,
        entity_id: one.userId,
        details: { role: "member" },
      },
      {
        action: "member.decline",
        actor_id: other.userId,
        entity_id: declined.id,
        details: { role: "viewer" },
      },
    ],
  );
  const { action, entity_id, details } = entries[2]!;
  assert.deepEqual([action, entity_id, details], [
    "member.withdraw",
    declined.id,
    { role: "viewer", state: "declined" },
  ]);
  assert.deepEqual((await listAudits(world)).slice(0, 2).map(({ action }) => action), [
    "member.invite",
    "member.invite",
  ]);
});

Deno.test("an invitation outlives its inviter's account, and no longer names them", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const guest = await actAsGuest(world, guestEmail);
  const { body: { id } } = await admin.invite(guestEmail);
  await world.sql`
    delete from auth.users where id = (select invited_by from public.invitations)`;
  assert.equal((await guest.list()).body.data[0].invited_by, null);
  assert.equal((await guest.accept(id)).status, 200);
});

Deno.test("only owners invite owners and change such an invitation, and admins withdraw it", async () => {
  await using world = await createApiWorld();
  const admin = await actAsAdmin(world);
  const owner = await actAsAdmin(world, "owner");
  const refused = await admin.invite(guestEmail, "owner");
  const { body: { id } } = await owner.invite(guestEmail, "owner");
  const others = [
    refused,
    await admin.changeRole(id, "viewer"),
    await admin.changeRole((await admin.invite("b@example.com")).body.id, "owner"),
  ];
  for (const { status, body } of others) {
    assert.deepEqual([status, body.code], [403, "insufficient_role"]);
  }
  const guest = await actAsGuest(world, guestEmail);
  assert.equal((await admin.withdraw(id)).status, 204);
  assert.equal((await guest.accept(id)).status, 404);
  const { body: { id: second } } = await owner.invite(guestEmail, "owner");
  assert.equal((await guest.accept(second)).body.role, "owner");
});

Deno.test("the first of two accounts with one address to accept gets the invitation", async () => {
  await using world = await createApiWorld();
  // As with single sign-on: Auth keeps such accounts apart.
  await world.sql`alter table auth.users drop constraint if exists users_email_key`;
  const admin = await actAsAdmin(world);
  const [one, other] = [await actAsGuest(world, guestEmail), await actAsGuest(world, guestEmail)];
  const { body: { id } } = await admin.invite(guestEmail);
  assert.equal((await one.accept(id)).status, 200);
  assert.equal((await other.accept(id)).status, 404);
  assert.deepEqual(await other.workspaces(), ["own owner"]);
});
