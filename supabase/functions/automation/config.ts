import { z } from "zod";
import { databaseVariables, logVariables } from "../_shared/config/config.ts";
import { dispatchKeyVariables } from "../_shared/config/dispatch_key.ts";

/** Environment variables of the automation function. */
export const automationConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...dispatchKeyVariables,
});
