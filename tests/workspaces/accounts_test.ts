import assert from "node:assert/strict";
import type postgres from "postgres";
import { addMember, createAccount, insertAccount, readRoles } from "../../testing/data/accounts.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

/** A workspace with somebody in each of the roles, in this order; their ids. */
async function createTeam({ sql }: TestDatabase, roles: readonly string[]) {
  const workspaceId = await createWorkspace(sql);
  const ids: string[] = [];
  for (const role of roles) {
    const userId = await createAccount(sql);
    await addMember(sql, { workspaceId, userId, role });
    ids.push(userId);
  }
  return { workspaceId, ids };
}

async function deleteAccount(sql: postgres.Sql, userId: string | undefined): Promise<void> {
  await sql`delete from auth.users where id = ${userId ?? null}`;
}

async function readAudit(sql: postgres.Sql, workspaceId: string) {
  return await sql<{ action: string; entity_id: string; details: Record<string, unknown> }[]>`
    select action, entity_id, details from public.audit_log
    where workspace_id = ${workspaceId} and actor_kind = 'system' order by created_at`;
}

async function listOwnerless(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ workspace_id: string }[]>`
    select workspace_id from ops.ownerless_workspaces where name = 'Test'`;
  return rows.map(({ workspace_id }) => workspace_id);
}

Deno.test("when the last owner's account goes, the longest-standing admin becomes owner", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["viewer", "owner", "admin", "admin"]);
  const [viewer, owner, heir, other] = ids as [string, string, string, string];
  await deleteAccount(db.sql, owner);
  assert.deepEqual(await readRoles(db.sql, workspaceId), {
    [viewer]: "viewer",
    [heir]: "owner",
    [other]: "admin",
  });
  assert.deepEqual([...await readAudit(db.sql, workspaceId)], [
    {
      action: "member.remove",
      entity_id: owner,
      details: { role: "owner", reason: "account_deleted" },
    },
    {
      action: "member.update",
      entity_id: heir,
      details: { role: "owner", reason: "account_deleted", role_before: "admin" },
    },
  ]);
});

Deno.test("no new owner is appointed while another owner remains", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "admin", "owner"]);
  const [first, admin, second] = ids as [string, string, string];
  await deleteAccount(db.sql, first);
  assert.deepEqual(await readRoles(db.sql, workspaceId), { [admin]: "admin", [second]: "owner" });
});

Deno.test("members and viewers never become owners by a deleted account", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "member", "viewer"]);
  const [owner, member, viewer] = ids as [string, string, string];
  await deleteAccount(db.sql, owner);
  assert.deepEqual(await readRoles(db.sql, workspaceId), {
    [member]: "member",
    [viewer]: "viewer",
  });
  assert.deepEqual(await listOwnerless(db.sql), [workspaceId]);
});

Deno.test("admins who cannot sign in are skipped", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "admin", "admin", "admin"]);
  const [owner, banned, unconfirmed, heir] = ids as [string, string, string, string];
  await db.sql`update auth.users set banned_until = 'infinity' where id = ${banned}`;
  await db.sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed}`;
  await deleteAccount(db.sql, owner);
  assert.equal((await readRoles(db.sql, workspaceId))[heir], "owner");
});

Deno.test("an account that Auth keeps as deleted is gone from its workspaces too", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "admin"]);
  const [owner, admin] = ids as [string, string];
  await db.sql`
    update auth.users set deleted_at = now(), email = md5(email) where id = ${owner}`;
  assert.deepEqual(await readRoles(db.sql, workspaceId), { [admin]: "owner" });
});

Deno.test("accounts deleted in one statement leave no deleted owner behind", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "owner", "admin", "admin"]);
  const last = ids.pop()!;
  await db.sql`delete from auth.users where id in ${db.sql(ids)}`;
  assert.deepEqual(await readRoles(db.sql, workspaceId), { [last]: "owner" });
});

Deno.test("an account with every kind of reference can be deleted by Auth without rights on our tables", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids: [owner] } = await createTeam(db, ["owner"]);
  await db.sql`
    insert into public.invitations (workspace_id, email, role, invited_by)
    values (${workspaceId}, 'x@example.com', 'viewer', ${owner!})`;
  await db.sql`
    insert into private.api_keys (hash, workspace_id, name, last_four, scopes, created_by)
    values (sha256('key'), ${workspaceId}, 'Test', 'abcd', '{track:write}', ${owner!})`;
  await db.sql`
    insert into public.audit_log (workspace_id, actor_kind, actor_id, action)
    values (${workspaceId}, 'user', ${owner!}, 'test')`;
  const role = `auth_${crypto.randomUUID().replaceAll("-", "")}`;
  await db.sql.begin(async (tx) => {
    await tx.unsafe(`
      create role ${role};
      grant usage on schema auth to ${role};
      grant select, delete on auth.users to ${role};
      create policy "Auth deletes" on auth.users to ${role} using (true);
      set local role ${role}`);
    assert.equal((await tx`delete from auth.users where id = ${owner!}`).count, 1);
    await tx.unsafe(`reset role; drop owned by ${role}; drop role ${role}`);
  });
  const [left] = await db.sql`
    select
      (select count(*)::int from public.invitations where invited_by is null) as invitations,
      (select count(*)::int from private.api_keys where created_by is null) as keys,
      (select count(*)::int from public.audit_log where actor_id = ${owner!}) as entries`;
  assert.deepEqual(left, { invitations: 1, keys: 1, entries: 1 });
});

Deno.test("ops.add_owner() gives an ownerless workspace an owner, and writes to the audit log", async () => {
  await using db = await createTestDatabase();
  const { workspaceId, ids } = await createTeam(db, ["owner", "viewer"]);
  const [owner, viewer] = ids as [string, string];
  await deleteAccount(db.sql, owner);
  const strangerId = await createAccount(db.sql, "new@example.com");
  const addOwner = (email: string) => db.sql`select ops.add_owner(${workspaceId}, ${email}) as id`;
  const [row] = await db.sql<{ email: string }[]>`
    select email from auth.users where id = ${viewer}`;
  assert.deepEqual([...await addOwner(row!.email.toUpperCase())], [{ id: viewer }]);
  assert.deepEqual([...await addOwner("new@example.com")], [{ id: strangerId }]);
  assert.deepEqual([...await addOwner("new@example.com")], [{ id: strangerId }]);
  assert.deepEqual(await readRoles(db.sql, workspaceId), {
    [viewer]: "owner",
    [strangerId]: "owner",
  });
  assert.deepEqual(await listOwnerless(db.sql), []);
  const entries = (await readAudit(db.sql, workspaceId)).slice(1);
  assert.deepEqual(entries.map(({ action, entity_id, details }) => [action, entity_id, details]), [
    ["member.update", viewer, { role: "owner", role_before: "viewer", reason: "operator" }],
    ["member.invite", strangerId, { role: "owner", role_before: null, reason: "operator" }],
  ]);
});

Deno.test("ops.add_owner() refuses unknown and deleted workspaces and unconfirmed addresses", async () => {
  await using db = await createTestDatabase();
  await createAccount(db.sql, "in@example.com");
  await insertAccount(db.sql, "out@example.com");
  const workspaceId = await createWorkspace(db.sql);
  const deletedId = await createWorkspace(db.sql);
  await db
    .sql`insert into private.erasures (workspace_id, step) values (${deletedId}, 'workspace')`;
  for (
    const [id, email] of [
      [crypto.randomUUID(), "in@example.com"],
      [deletedId, "in@example.com"],
      [workspaceId, "out@example.com"],
      [workspaceId, "nobody@example.com"],
    ] as const
  ) {
    await assert.rejects(db.sql`select ops.add_owner(${id}, ${email})`, { code: "SP404" });
  }
  assert.deepEqual(await listOwnerless(db.sql), [workspaceId]);
});
