import type { Role } from "../../api/types.ts";

/** The permissions of each role, in words. */
export const roleTexts: Record<Role, string> = {
  owner: "Everything, including workspace settings, other owners and deletion",
  admin:
    "See and edit all data, and manage campaigns, journeys, senders, destinations, keys and the team",
  member:
    "See everything except keys and the audit log, edit customers, segments and templates, and resend messages",
  viewer: "See everything except keys and the audit log, and change nothing",
};

export const roleOptions = (Object.keys(roleTexts) as Role[]).map((value) => ({
  value,
  label: `${value[0]?.toUpperCase()}${value.slice(1)}`,
}));

/** Returns the link for an invited person. It holds no token: the email address counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email, next: "/invitations" })}`;
}

/** Returns the address that opens an email with the invitation in the sender's own program. */
export function invitationMail(email: string, workspace: string): string {
  const subject = `Invitation to ${workspace}`;
  const body =
    `You are invited to ${workspace} on Signalpost. Sign up or sign in with this email ` +
    `address, and accept:\n\n${invitationLink(email)}\n`;
  const parts = { subject, body };
  // Mail programs show the + of form encoding as it is.
  const query = Object.entries(parts).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `mailto:${encodeURIComponent(email)}?${query.join("&")}`;
}

/** Returns whether an invitation has expired. */
export function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
