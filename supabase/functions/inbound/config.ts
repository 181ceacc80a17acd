import { z } from "zod";
import { databaseVariables, logVariables, secretVariables } from "../_shared/config.ts";

/** The variables `inbound` reads. */
export const inboundConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
});
