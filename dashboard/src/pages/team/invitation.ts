/** Where the invited sign up or in, and answer; it holds no token: the address is what counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email, next: "/invitations" })}`;
}

/** Whether an invitation has ended: it can no longer be accepted. */
export function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
