import type { CallerSql, Role } from "../../../_shared/access/caller.ts";
import { lastUuid, type PageRequest } from "../../kernel/pages.ts";

/** An open invitation, as the person sees it who is invited. */
export interface Invitation {
  id: string;
  workspace: { id: string; name: string };
  role: Role;
  /** Address of the member who invites; null when that account is gone. */
  invited_by: string | null;
  created_at: string;
  expires_at: string;
}

/** The caller's open invitations, newest first. */
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
 * Makes the caller a member of the workspace that invited them; its id.
 *
 * @throws SP404 for an invitation of somebody else, SP409 for one that was declined or has ended.
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
 * Keeps that the caller does not want to join.
 *
 * @throws SP404 for an invitation of somebody else, SP409 for one that was accepted.
 */
export async function declineInvitation(
  tx: CallerSql,
  { invitationId, requestId }: InvitationAnswer,
): Promise<void> {
  await tx`select private.decline_invitation(${invitationId}, ${requestId})`;
}
