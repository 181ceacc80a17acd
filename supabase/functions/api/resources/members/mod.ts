import { inviteMember } from "./invite_member.ts";
import { listMembers } from "./list_members.ts";
import { mailInvitation } from "./mail_invitation.ts";
import { removeMember } from "./remove_member.ts";
import { updateMember } from "./update_member.ts";

/** Routes of this resource. */
export const memberRoutes = [
  inviteMember,
  listMembers,
  mailInvitation,
  removeMember,
  updateMember,
] as const;
