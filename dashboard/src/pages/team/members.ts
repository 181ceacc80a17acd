import type { Role } from "../../api/types.ts";

/** What each role may do, in words. */
export const ROLES: Record<Role, string> = {
  owner: "Everything, and the workspace itself",
  admin: "Keys, team, destinations and sources",
  member: "Edit and erase customers, test and replay",
  viewer: "See everything, change nothing",
};

export const ROLE_OPTIONS = (Object.keys(ROLES) as Role[]).map((value) => ({
  value,
  label: `${value[0]?.toUpperCase()}${value.slice(1)}: ${ROLES[value].toLowerCase()}`,
}));

/** Where the invited sign up or in, and answer; it holds no token: the address is what counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email, next: "/invitations" })}`;
}

/** Whether an invitation has ended: it can no longer be accepted. */
export function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
