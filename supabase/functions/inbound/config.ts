import { z } from "zod";
import { databaseVariables, logVariables, secretVariables } from "../_shared/config/config.ts";

/** Environment variables of the inbound function. */
export const inboundConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  /** Set by the platform; some senders sign the URL that they send to. */
  SUPABASE_URL: z.url("must be an http(s) address"),
});
