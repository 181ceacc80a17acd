import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";
import { addMember, createAccount } from "../data/accounts.ts";

/** Makes the user a viewer. A workspace needs an owner, so another user becomes one first. */
export async function makeViewer(info: StackInfo): Promise<void> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  try {
    const workspaceId = info.workspace_id;
    const userId = await createAccount(sql);
    await addMember(sql, { workspaceId, userId, role: "owner" });
    await sql`
      update public.workspace_members set role = 'viewer'
      where workspace_id = ${workspaceId} and user_id <> ${userId}`;
  } finally {
    await sql.end();
  }
}
