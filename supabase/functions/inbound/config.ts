import { z } from "zod";
import { databaseVariables, logVariables } from "../_shared/config.ts";

/** The variables `inbound` reads. */
export const inboundConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  SECRETS_ENCRYPTION_KEY: z.string().min(1),
});
