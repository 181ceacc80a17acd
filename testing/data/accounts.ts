import type postgres from "postgres";

/** An account that Supabase Auth has just inserted: its address is not confirmed. */
export async function insertAccount(
  sql: postgres.Sql,
  email = `${crypto.randomUUID()}@example.com`,
): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into auth.users (id, email, email_confirmed_at) values (${id}, ${email}, null)`;
  return id;
}

/** Confirms an account, as Auth does when its user opens the link in the mail. */
export async function confirmAccount(sql: postgres.Sql, userId: string): Promise<void> {
  await sql`update auth.users set email_confirmed_at = now() where id = ${userId}`;
}

/** An account with a confirmed address; returns the id. */
export async function createAccount(sql: postgres.Sql, email?: string): Promise<string> {
  const userId = await insertAccount(sql, email);
  await confirmAccount(sql, userId);
  return userId;
}

/** Gives a role in a workspace, later than everybody before. */
export async function addMember(
  sql: postgres.Sql,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: string },
): Promise<void> {
  await sql`
    insert into public.workspace_members (workspace_id, user_id, role, created_at)
    values (${workspaceId}, ${userId}, ${role}, clock_timestamp())`;
}

/** Roles in a workspace by user. */
export async function readRoles(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<Record<string, string>> {
  const rows = await sql<{ user_id: string; role: string }[]>`
    select user_id, role from public.workspace_members where workspace_id = ${workspaceId}`;
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}
