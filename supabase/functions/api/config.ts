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
  /** Port of the inbox's SMTP server on 127.0.0.1; set by the local stack only. */
  INBOX_SMTP_PORT: z.string().optional(),
  /** The hosted platform sets it for every function. */
  SB_REGION: z.string().optional(),
  /** Keys that verify session tokens, as JSON; fetched from Supabase Auth if unset. */
  SUPABASE_JWKS: z.string().optional(),
  /** Issuer of session tokens, if it differs from `<SUPABASE_URL>/auth/v1`. */
  AUTH_ISSUER: z.string().optional(),
});
