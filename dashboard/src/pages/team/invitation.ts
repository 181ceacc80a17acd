/** Where the invited sign up; it holds no token: the address is what counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email })}`;
}

/** Whether an invitation has ended: nobody can join by it any more. */
export function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
