import { z } from "zod";
import {
  databaseVariables,
  logVariables,
  projectVariables,
  secretVariables,
} from "../_shared/config/config.ts";
import { callerKeyVariables } from "../_shared/config/dispatch_key.ts";
import { destinationVariables } from "../_shared/outbound/config.ts";

/** Environment variables of the api function. */
export const apiConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  ...destinationVariables,
  ...projectVariables,
  ...callerKeyVariables,
  /** Keys that verify session tokens, as JSON; fetched from Supabase Auth if unset. */
  SUPABASE_JWKS: z.string().optional(),
  /** Issuer of session tokens, if it differs from `<SUPABASE_URL>/auth/v1`. */
  AUTH_ISSUER: z.string().optional(),
});
