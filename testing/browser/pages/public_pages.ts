import type { PagesData } from "./fill_pages.ts";
import type { PageSpec } from "./page_spec.ts";

const alone = (name: string, path: string, shows: string): PageSpec => ({
  name,
  path,
  shows,
  isAlone: true,
});

/** The pages that need no session. */
export const publicPages: PageSpec[] = [
  alone("sign_in", "/sign-in", "Welcome back."),
  alone("sign_up", "/sign-up", "Create your account"),
  alone("forgot_password", "/forgot-password", "Send code"),
  alone("reset_password", "/reset-password", "This link doesn’t work"),
];

/** The pages that customers open from a mail, and the inbox, which are not of the dashboard. */
export function listMailPages(data: PagesData): PageSpec[] {
  const { mailId, unsubscribeUrl, preferencesUrl } = data;
  return [
    alone("unsubscribe", unsubscribeUrl, "Unsubscribe"),
    alone("preferences", preferencesUrl, "Offers"),
    alone("gone_link", `${preferencesUrl.slice(0, -4)}AAAA`, "no longer works"),
    alone("inbox", "/inbox", "Hello Ada"),
    alone("inbox_mail", `/inbox/${mailId}`, "Delivered to"),
  ];
}
