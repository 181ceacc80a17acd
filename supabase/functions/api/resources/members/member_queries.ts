import type { CallerSql, Role } from "../../../_shared/access/caller.ts";
import type { PageRequest } from "../../kernel/pages.ts";

/** Somebody in a workspace, or invited to it. */
export interface Member {
  /** The user's id, or the invitation's. */
  id: string;
  user_id: string | null;
  email: string | null;
  role: Role;
  state: "active" | "invited" | "declined";
  created_at: string;
  expires_at: string | null;
  /** Of the cursor: creation in microseconds. */
  place_at: string;
}

/** Members and invitations, newest first. */
export async function listMembers(
  tx: CallerSql,
  { workspaceId, limit, after }: PageRequest & { workspaceId: string },
): Promise<Member[]> {
  const [time = "infinity", id = "00000000-0000-0000-0000-000000000000"] = after ?? [];
  return await tx<Member[]>`
    ${selectMembers(tx, workspaceId)}
    where (p.created_at, p.id) < (${time}::text::timestamptz, ${id}::uuid)
    order by p.created_at desc, p.id desc
    limit ${limit + 1}
  `;
}

export interface MemberKey {
  workspaceId: string;
  /** A user's id, or an invitation's. */
  memberId: string;
}

/** One member or invitation; undefined where the caller sees none. */
export async function findMember(
  tx: CallerSql,
  { workspaceId, memberId }: MemberKey,
): Promise<Member | undefined> {
  const rows = await tx<Member[]>`
    ${selectMembers(tx, workspaceId)}
    where p.id = ${memberId}
  `;
  return rows[0];
}

function selectMembers(tx: CallerSql, workspaceId: string) {
  return tx`
    select
      p.id, p.user_id, p.email, p.role, p.state, private.rfc3339(p.created_at) as created_at,
      private.rfc3339(p.expires_at) as expires_at,
      to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place_at
    from private.workspace_people(${workspaceId}) as p
  `;
}

/** Invites the user of an address, whether there is one or not; the id of the invitation. */
export async function inviteMember(
  tx: CallerSql,
  { workspaceId, email, role }: { workspaceId: string; email: string; role: Role },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.invite_member(${workspaceId}, ${email}, ${role}) as id
  `;
  return rows[0]!.id;
}

/** Gives another role; whether the caller may do so with this member. */
export async function changeRole(
  tx: CallerSql,
  { workspaceId, memberId, role }: MemberKey & { role: Role },
): Promise<boolean> {
  const members = await tx`
    update public.workspace_members as m set role = ${role}
    where m.workspace_id = ${workspaceId} and m.user_id = ${memberId}
  `;
  const invitations = await tx`
    update public.invitations as i set role = ${role}
    where i.workspace_id = ${workspaceId} and i.id = ${memberId}
  `;
  return members.count + invitations.count > 0;
}

/** Removes a member or withdraws an invitation; whether the caller may do so. */
export async function removeMember(
  tx: CallerSql,
  { workspaceId, memberId }: MemberKey,
): Promise<boolean> {
  const members = await tx`
    delete from public.workspace_members as m
    where m.workspace_id = ${workspaceId} and m.user_id = ${memberId}
  `;
  const invitations = await tx`
    delete from public.invitations as i
    where i.workspace_id = ${workspaceId} and i.id = ${memberId}
  `;
  return members.count + invitations.count > 0;
}
