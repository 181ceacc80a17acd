import { z } from "zod";
import { databaseVariables, logVariables, secretVariables } from "../_shared/platform/config.ts";

/** The variables `inbound` reads. */
export const inboundConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  /** Set by the platform; some senders sign the address that they send to. */
  SUPABASE_URL: z.url("must be an http(s) address"),
});
