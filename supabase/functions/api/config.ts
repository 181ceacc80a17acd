import { z } from "zod";
import { databaseVariables, logVariables } from "../_shared/config.ts";

/** The variables `api` reads. */
export const apiConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  SUPABASE_URL: z.url("must be an http(s) address"),
  /** The keys that tokens are signed with; without it they are fetched. */
  SUPABASE_JWKS: z.string().optional(),
  /** Issuer of session tokens, where it is not `<SUPABASE_URL>/auth/v1`. */
  AUTH_ISSUER: z.string().optional(),
  SECRETS_ENCRYPTION_KEY: z.string(),
  DESTINATION_ALLOWED_CIDRS: z.string().default(""),
});
