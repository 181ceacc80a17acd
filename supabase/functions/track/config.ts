import { z } from "zod";
import { databaseVariables, logVariables, projectVariables } from "../_shared/config/config.ts";

/** Environment variables of the track function. */
export const trackConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...projectVariables,
});
