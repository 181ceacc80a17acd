import { z } from "zod";
import {
  databaseVariables,
  logVariables,
  projectVariables,
  secretVariables,
} from "../_shared/platform/config.ts";
import { destinationVariables } from "../_shared/outbound/config.ts";

/** The variables `api` reads. */
export const apiConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  ...destinationVariables,
  ...projectVariables,
  /** The keys that tokens are signed with; without it they are fetched. */
  SUPABASE_JWKS: z.string().optional(),
  /** Issuer of session tokens, where it is not `<SUPABASE_URL>/auth/v1`. */
  AUTH_ISSUER: z.string().optional(),
});
