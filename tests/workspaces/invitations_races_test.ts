import assert from "node:assert/strict";
import type postgres from "postgres";
import { addMember, createAccount, readRoles } from "../../testing/data/accounts.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { interleave, type Step } from "../../testing/postgres/locks.ts";

const email = "ada@example.com";

interface Scene {
  sql: postgres.Sql;
  workspaceId: string;
  ownerId: string;
  /** Somebody who is invited as a viewer. */
  guestId: string;
  invitationId: string;
  [Symbol.asyncDispose](): Promise<void>;
}

async function setScene(): Promise<Scene> {
  const db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  const ownerId = await createAccount(sql);
  const guestId = await createAccount(sql, email);
  await addMember(sql, { workspaceId, userId: ownerId, role: "owner" });
  const [row] = await sql<{ id: string }[]>`
    insert into public.invitations (workspace_id, email, role)
    values (${workspaceId}, ${email}, 'viewer') returning id`;
  const invitationId = row!.id;
  const dispose = () => db[Symbol.asyncDispose]();
  return { sql, workspaceId, ownerId, guestId, invitationId, [Symbol.asyncDispose]: dispose };
}

/** Runs a statement as a request of the api by a session does; the `count` of its only row. */
const asSession = (userId: string, actingIn: string, statement: string): Step<number> => {
  return async (sql) => {
    const results = await sql.unsafe(`
      set local role signalpost_user;
      set local request.jwt.claims = '{"sub": "${userId}"}';
      set local signalpost.acting_workspace_id = '${actingIn}';
      ${statement}`);
    return [...results].flat()[0]?.count;
  };
};

const accept = ({ invitationId, guestId }: Scene, userId = guestId) =>
  asSession(userId, "", `select private.accept_invitation('${invitationId}', gen_random_uuid())`);
const decline = ({ invitationId, guestId }: Scene) =>
  asSession(guestId, "", `select private.decline_invitation('${invitationId}', gen_random_uuid())`);
const byOwner = ({ ownerId, workspaceId }: Scene, statement: string) =>
  asSession(ownerId, workspaceId, statement);
const withdraw = (scene: Scene) =>
  byOwner(
    scene,
    `with withdrawn as (
       delete from public.invitations where id = '${scene.invitationId}' returning id
     )
     select count(*)::integer from withdrawn`,
  );
const promote = (scene: Scene) =>
  byOwner(
    scene,
    `with promoted as (
       update public.invitations set role = 'admin' where id = '${scene.invitationId}' returning id
     )
     select count(*)::integer from promoted`,
  );
const deleteWorkspace = (scene: Scene) =>
  byOwner(scene, `select private.delete_workspace('${scene.workspaceId}')`);
const inviteAnother = (scene: Scene) =>
  byOwner(
    scene,
    `select private.invite_member('${scene.workspaceId}', 'another@example.com', 'viewer')`,
  );

async function readAudit({ sql, workspaceId }: Scene): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`
    select action from public.audit_log where workspace_id = ${workspaceId} order by created_at`;
  return rows.map(({ action }) => action);
}

const roleOfGuest = async ({ sql, workspaceId, guestId }: Scene) =>
  (await readRoles(sql, workspaceId))[guestId];

Deno.test("an invitation accepted twice concurrently makes one member and one log entry", async () => {
  await using scene = await setScene();
  await interleave(scene.sql, accept(scene), accept(scene));
  assert.equal(await roleOfGuest(scene), "viewer");
  assert.deepEqual(await readAudit(scene), ["member.join"]);
});

Deno.test("one of two accounts with the invited address that accept concurrently joins", async () => {
  await using scene = await setScene();
  const { sql, workspaceId, ownerId, guestId } = scene;
  // As with single sign-on: Auth keeps such accounts apart.
  await sql`alter table auth.users drop constraint if exists users_email_key`;
  const otherId = await createAccount(sql, email);
  const both = interleave(sql, accept(scene), accept(scene, otherId));
  await assert.rejects(both, { code: "SP404" });
  assert.deepEqual(await readRoles(sql, workspaceId), { [ownerId]: "owner", [guestId]: "viewer" });
});

Deno.test("an invitation that is being accepted is not withdrawn", async () => {
  await using scene = await setScene();
  const [, withdrawn] = await interleave(scene.sql, accept(scene), withdraw(scene));
  assert.equal(withdrawn, 0);
  assert.equal(await roleOfGuest(scene), "viewer");
});

Deno.test("an invitation that is being withdrawn cannot be accepted", async () => {
  await using scene = await setScene();
  await assert.rejects(interleave(scene.sql, withdraw(scene), accept(scene)), { code: "SP404" });
  assert.equal(await roleOfGuest(scene), undefined);
});

Deno.test("accepting uses a role that is being changed", async () => {
  await using scene = await setScene();
  await interleave(scene.sql, promote(scene), accept(scene));
  assert.equal(await roleOfGuest(scene), "admin");
});

Deno.test("an invitation that is being accepted keeps its role", async () => {
  await using scene = await setScene();
  const [, changed] = await interleave(scene.sql, accept(scene), promote(scene));
  assert.equal(changed, 0);
  assert.equal(await roleOfGuest(scene), "viewer");
});

Deno.test("a concurrent accept and decline have one outcome", async (t) => {
  await t.step("accepted first", async () => {
    await using scene = await setScene();
    await assert.rejects(interleave(scene.sql, accept(scene), decline(scene)), { code: "SP409" });
    assert.equal(await roleOfGuest(scene), "viewer");
  });
  await t.step("declined first", async () => {
    await using scene = await setScene();
    await assert.rejects(interleave(scene.sql, decline(scene), accept(scene)), { code: "SP409" });
    assert.equal(await roleOfGuest(scene), undefined);
  });
});

Deno.test("accepting during a workspace's deletion leaves no member", async (t) => {
  await t.step("accepted first", async () => {
    await using scene = await setScene();
    await interleave(scene.sql, accept(scene), deleteWorkspace(scene));
    assert.deepEqual(await readRoles(scene.sql, scene.workspaceId), {});
  });
  await t.step("deleted first", async () => {
    await using scene = await setScene();
    const both = interleave(scene.sql, deleteWorkspace(scene), accept(scene));
    await assert.rejects(both, { code: "SP404" });
    assert.deepEqual(await readRoles(scene.sql, scene.workspaceId), {});
  });
});

Deno.test("inviting during a workspace's deletion leaves no invitation", async (t) => {
  await t.step("invited first", async () => {
    await using scene = await setScene();
    await interleave(scene.sql, inviteAnother(scene), deleteWorkspace(scene));
    assert.equal((await scene.sql`select from public.invitations`).length, 0);
  });
  await t.step("deleted first", async () => {
    await using scene = await setScene();
    const both = interleave(scene.sql, deleteWorkspace(scene), inviteAnother(scene));
    await assert.rejects(both, { code: "SP403" });
    assert.equal((await scene.sql`select from public.invitations`).length, 0);
  });
});

Deno.test("accepting during an account's deletion leaves no member", async (t) => {
  const deleteGuest = ({ guestId }: Scene): Step => (sql) =>
    sql`delete from auth.users where id = ${guestId}`;
  await t.step("accepted first", async () => {
    await using scene = await setScene();
    await interleave(scene.sql, accept(scene), deleteGuest(scene));
    assert.equal(await roleOfGuest(scene), undefined);
  });
  await t.step("deleted first", async () => {
    await using scene = await setScene();
    const both = interleave(scene.sql, deleteGuest(scene), accept(scene));
    await assert.rejects(both, {
      code: "23503",
      constraint_name: "workspace_members_user_id_fkey",
    });
    assert.equal(await roleOfGuest(scene), undefined);
  });
});
