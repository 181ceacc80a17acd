import assert from "node:assert/strict";
import type postgres from "postgres";
import { addMember, createAccount, readRoles } from "../../testing/data/accounts.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { interleave, lockIsAwaited, type Step } from "../../testing/postgres/locks.ts";

interface Team {
  sql: postgres.Sql;
  workspaceId: string;
  /** Two owners and an admin. */
  ids: readonly [string, string, string];
  [Symbol.asyncDispose](): Promise<void>;
}

async function createTeam(): Promise<Team> {
  const db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql);
  const join = async (role: string) => {
    const userId = await createAccount(db.sql);
    await addMember(db.sql, { workspaceId, userId, role });
    return userId;
  };
  const ids = [await join("owner"), await join("owner"), await join("admin")] as const;
  return { sql: db.sql, workspaceId, ids, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() };
}

const deleteAccount = (userId: string): Step => (sql) =>
  sql`delete from auth.users where id = ${userId}`;

/** Removes a membership as a session of the api does. */
const leave = ({ workspaceId }: Team, userId: string): Step => (sql) =>
  sql.unsafe(`
    set local signalpost.acting_workspace_id = '${workspaceId}';
    delete from public.workspace_members
    where workspace_id = '${workspaceId}' and user_id = '${userId}'`);

Deno.test("two owners whose accounts are deleted at once leave the admin as owner", async () => {
  await using team = await createTeam();
  const { sql, workspaceId, ids: [one, other, admin] } = team;
  await interleave(sql, deleteAccount(one), deleteAccount(other));
  assert.deepEqual(await readRoles(sql, workspaceId), { [admin]: "owner" });
});

Deno.test("an owner cannot leave while the account of the only other one is deleted", async () => {
  await using team = await createTeam();
  const { sql, workspaceId, ids: [one, other, admin] } = team;
  await assert.rejects(interleave(sql, deleteAccount(one), leave(team, other)), { code: "SP409" });
  assert.deepEqual(await readRoles(sql, workspaceId), { [other]: "owner", [admin]: "admin" });
});

Deno.test("when the other owner leaves while the account of the last is deleted, the admin follows", async () => {
  await using team = await createTeam();
  const { sql, workspaceId, ids: [one, other, admin] } = team;
  await interleave(sql, leave(team, other), deleteAccount(one));
  assert.deepEqual(await readRoles(sql, workspaceId), { [admin]: "owner" });
});

Deno.test("an admin whose account is being deleted does not become owner", async () => {
  await using team = await createTeam();
  const { sql, workspaceId, ids: [one, other, admin] } = team;
  await deleteAccount(other)(sql);
  await interleave(sql, deleteAccount(admin), deleteAccount(one));
  assert.deepEqual(await readRoles(sql, workspaceId), {});
});

/** Starts the steps one after the other behind a locked workspace, and then lets them go. */
async function queueUp(sql: postgres.Sql, workspaceId: string, steps: Step[]): Promise<void> {
  const gate = await sql.reserve();
  await gate`begin`;
  await gate`select from public.workspaces where id = ${workspaceId} for update`;
  const running: Promise<unknown>[] = [];
  for (const step of steps) {
    running.push(Promise.resolve(step(sql)));
    await lockIsAwaited(sql, running.length);
  }
  await gate`commit`;
  gate.release();
  await Promise.all(running);
}

Deno.test("an account is deleted while its membership is removed, without a deadlock", async () => {
  await using team = await createTeam();
  const { sql, workspaceId, ids: [one, other, admin] } = team;
  await queueUp(sql, workspaceId, [deleteAccount(one), leave(team, one)]);
  assert.deepEqual(await readRoles(sql, workspaceId), { [other]: "owner", [admin]: "admin" });
});

Deno.test("accounts that share workspaces, joined in any order, are deleted at once without a deadlock", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const [one, other] = [await createAccount(sql), await createAccount(sql)];
  const [first = "", second = ""] = [await createWorkspace(sql), await createWorkspace(sql)]
    .toSorted();
  const join = (workspaceId: string, userId: string) =>
    addMember(sql, { workspaceId, userId, role: "owner" });
  await join(first, one);
  await join(second, one);
  await join(second, other);
  await join(first, other);
  await queueUp(sql, second, [deleteAccount(other), deleteAccount(one)]);
  assert.deepEqual(await readRoles(sql, first), {});
  assert.deepEqual(await readRoles(sql, second), {});
});
