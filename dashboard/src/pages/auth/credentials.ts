/** Checks by hand: Supabase Auth publishes no schema, and a library would delay the page. */
type Check = (text: string) => string | null;

const minLength = 8;
/** The most that bcrypt takes and Supabase Auth accepts. */
const maxLength = 72;

export const checkEmail: Check = (text) =>
  /^[^\s@]+@[^\s@]+$/.test(text.trim()) ? null : "Enter an email address";

export const checkPassword: Check = (text) => text === "" ? "Enter your password" : null;

export const checkCode: Check = (text) =>
  /^\d{6,10}$/.test(text.trim()) ? null : "Enter the code from the email";

export const checkNewPassword: Check = (text) => {
  if (text.length < minLength) return `Use at least ${minLength} characters`;
  return text.length > maxLength ? `Use at most ${maxLength} characters` : null;
};

/** Returns the page to open after signing in: only paths of the dashboard are safe. */
export function safeNext(next: string | undefined): string {
  return next && /^\/(?![\/\\])/.test(next) ? next : "/";
}
