/** Returns the link for an invited person. It holds no token: the e-mail address counts. */
export function makeLink(dashboardUrl: string, email: string): string {
  const link = new URL("/sign-up", dashboardUrl);
  link.search = new URLSearchParams({ email, next: "/invitations" }).toString();
  return link.href;
}
