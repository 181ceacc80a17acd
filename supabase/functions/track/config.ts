import { z } from "zod";
import { databaseVariables, logVariables, projectVariables } from "../_shared/config.ts";

/** The variables `track` reads. */
export const trackConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...projectVariables,
});
