import { acceptInvitation } from "./accept_invitation.ts";
import { declineInvitation } from "./decline_invitation.ts";
import { listInvitations } from "./list_invitations.ts";

/** Routes of this resource. */
export const invitationRoutes = [
  acceptInvitation,
  declineInvitation,
  listInvitations,
] as const;
