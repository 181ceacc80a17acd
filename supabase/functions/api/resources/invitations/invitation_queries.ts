import type { Role } from "../../contract/roles.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/page_queries.ts";

/** An open invitation, as the invited user sees it. */
export interface Invitation {
  id: string;
  workspace: { id: string; name: string };
  role: Role;
  /** E-mail address of the inviting member; null if that account was deleted. */
  invited_by: string | null;
  created_at: string;
  expires_at: string;
}

/** Lists the caller's open invitations, newest first. */
export async function listInvitations(
  tx: CallerSql,
  { limit, after }: PageRequest,
): Promise<Invitation[]> {
  return await tx<Invitation[]>`
    select
      i.id, jsonb_build_object('id', i.workspace_id, 'name', i.workspace_name) as workspace,
      i.role, i.invited_by, private.rfc3339(i.created_at) as created_at,
      private.rfc3339(i.expires_at) as expires_at
    from private.own_invitations(${after?.[0] ?? lastUuid}, ${limit + 1}) as i
    order by i.id desc
  `;
}

export interface InvitationAnswer {
  invitationId: string;
  requestId: string;
}

/**
 * Adds the caller to the workspace that invited them; returns the workspace's id.
 *
 * @throws SP404 for another user's invitation, SP409 for one that was declined or has expired.
 */
export async function acceptInvitation(
  tx: CallerSql,
  { invitationId, requestId }: InvitationAnswer,
): Promise<string> {
  const rows = await tx<{ id: string }[]>`
    select private.accept_invitation(${invitationId}, ${requestId}) as id
  `;
  return rows[0]!.id;
}

/**
 * Records that the caller declined the invitation.
 *
 * @throws SP404 for another user's invitation, SP409 for one that was accepted.
 */
export async function declineInvitation(
  tx: CallerSql,
  { invitationId, requestId }: InvitationAnswer,
): Promise<void> {
  await tx`select private.decline_invitation(${invitationId}, ${requestId})`;
}
