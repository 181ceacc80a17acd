import { z } from "zod";

export const signInSchema = z.object({
  email: z.email("Enter an e-mail address"),
  password: z.string().min(1, "Enter your password"),
});

const newPassword = z.string()
  .min(8, "Use at least 8 characters")
  .max(72, "Use at most 72 characters");

export const signUpSchema = signInSchema.extend({ password: newPassword });
export const emailSchema = signInSchema.pick({ email: true });
export const newPasswordSchema = z.object({ password: newPassword });

/** Only an address of this page's own may be gone to after signing in. */
export function safeNext(next: string | undefined): string {
  return next && /^\/(?![\/\\])/.test(next) ? next : "/";
}
