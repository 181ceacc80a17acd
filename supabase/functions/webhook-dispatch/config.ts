import { z } from "zod";
import { databaseVariables, logVariables, secretVariables } from "../_shared/config/config.ts";
import { dispatchKeyVariables } from "../_shared/config/dispatch_key.ts";
import { destinationVariables } from "../_shared/outbound/config.ts";

/** Environment variables of the webhook-dispatch function. */
export const dispatchConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  ...destinationVariables,
  ...dispatchKeyVariables,
});
