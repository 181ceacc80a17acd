/** Where the invited sign up; it holds no token: the address is what counts. */
export function invitationLink(email: string): string {
  return `${location.origin}/sign-up?${new URLSearchParams({ email })}`;
}
