import type { Role } from "../../api/types.ts";

/** The permissions of each role, in words. */
export const roleTexts: Record<Role, string> = {
  owner: "Full access, including workspace settings",
  admin: "Manage keys, team, destinations and sources",
  member: "Edit and erase customers, test destinations and resend messages",
  viewer: "Read-only access",
};

export const roleOptions = (Object.keys(roleTexts) as Role[]).map((value) => ({
  value,
  label: `${value[0]?.toUpperCase()}${value.slice(1)}`,
}));

/** Returns the link for an invited person. It holds no token: the email address counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email, next: "/invitations" })}`;
}

/** Returns whether an invitation has expired. */
export function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
