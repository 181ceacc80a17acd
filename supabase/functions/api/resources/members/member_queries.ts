import type { Role } from "../../contract/roles.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import type { PageRequest } from "../../kernel/page_queries.ts";

/** A member of a workspace, or an invitation to it. */
export interface Member {
  /** Id of the user or of the invitation. */
  id: string;
  user_id: string | null;
  email: string | null;
  role: Role;
  state: "active" | "invited" | "declined";
  created_at: string;
  expires_at: string | null;
  /** E-mail address of the inviting member. */
  invited_by: string | null;
  last_active_at: string | null;
  /** When the newest mail about an invitation was queued, and the send of it. */
  mailed_at: string | null;
  send_id: string | null;
  /** Creation time in microseconds, for the cursor. */
  position_at: string;
}

export interface MemberFilter {
  workspaceId: string;
  /** true for members, false for invitations; undefined for both. */
  joined: boolean | undefined;
}

/** Lists members and invitations, newest first. */
export async function listMembers(
  tx: CallerSql,
  { workspaceId, joined, limit, after }: PageRequest & MemberFilter,
): Promise<Member[]> {
  const [time = "infinity", id = "00000000-0000-0000-0000-000000000000"] = after ?? [];
  return await tx<Member[]>`
    ${selectMembers(tx, workspaceId)}
    where (p.created_at, p.id) < (${time}::text::timestamptz, ${id}::uuid)
      ${joined === undefined ? tx`` : tx`and (p.state = 'active') = ${joined}`}
    order by p.created_at desc, p.id desc
    limit ${limit + 1}
  `;
}

export interface MemberKey {
  workspaceId: string;
  /** Id of a user or of an invitation. */
  memberId: string;
}

/** Returns one member or invitation, or undefined if the caller cannot see it. */
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
      private.rfc3339(p.expires_at) as expires_at, p.invited_by,
      private.rfc3339(a.last_active_at) as last_active_at,
      private.rfc3339(p.mailed_at) as mailed_at, p.send_id,
      to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position_at
    from private.workspace_people(${workspaceId}) as p
    left join private.team_activity(${workspaceId}) as a on a.user_id = p.user_id
  `;
}

/**
 * Invites the user with an e-mail address, even if there is none yet; returns the invitation's id.
 */
export async function inviteMember(
  tx: CallerSql,
  { workspaceId, email, role }: { workspaceId: string; email: string; role: Role },
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.invite_member(${workspaceId}, ${email}, ${role}) as id
  `;
  return rows[0]!.id;
}

/** The result of a request to mail an invitation. */
export type InvitationMail = "queued" | "no_sender" | "limit_reached";

/** Emails the link of an invitation; throws SP409 after it was answered or withdrawn, or expired. */
export async function mailInvitation(
  tx: CallerSql,
  { workspaceId, memberId, link }: MemberKey & { link: string },
): Promise<InvitationMail> {
  const rows = await tx<{ mail: InvitationMail }[]>`
    select private.mail_invitation(${workspaceId}, ${memberId}, ${link}) as mail
  `;
  return rows[0]!.mail;
}

/** Changes a role; false if the caller may not do so for this member. */
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

/** Removes a member or withdraws an invitation; false if the caller may not. */
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
