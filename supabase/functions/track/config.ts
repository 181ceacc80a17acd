import { z } from "zod";
import { databaseVariables, logVariables, projectVariables } from "../_shared/platform/config.ts";

/** The variables `track` reads. */
export const trackConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...projectVariables,
});
