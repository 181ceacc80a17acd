/** Checked by hand: Supabase Auth has no schema, and a library would load before the page shows. */
type Check = (text: string) => string | null;

const MIN_LENGTH = 8;
/** What bcrypt takes; GoTrue refuses more. */
const MAX_LENGTH = 72;

export const checkEmail: Check = (text) =>
  /^[^\s@]+@[^\s@]+$/.test(text.trim()) ? null : "Enter an e-mail address";

export const checkPassword: Check = (text) => text === "" ? "Enter your password" : null;

export const checkCode: Check = (text) =>
  /^\d{6,10}$/.test(text.trim()) ? null : "Enter the digits from the mail";

export const checkNewPassword: Check = (text) => {
  if (text.length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters`;
  return text.length > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters` : null;
};

/** Only an address of this page's own may be gone to after signing in. */
export function safeNext(next: string | undefined): string {
  return next && /^\/(?![\/\\])/.test(next) ? next : "/";
}
