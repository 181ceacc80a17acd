import { z } from "zod";
import {
  databaseVariables,
  logVariables,
  projectVariables,
  secretVariables,
} from "../_shared/config/config.ts";
import { dispatchKeyVariables } from "../_shared/config/dispatch_key.ts";
import { destinationVariables } from "../_shared/outbound/config.ts";

/** Environment variables of the send-dispatch function. */
export const sendConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...projectVariables,
  ...secretVariables,
  ...destinationVariables,
  ...dispatchKeyVariables,
  /** Base URL of the links in messages. @default the function links of the project */
  LINKS_URL: z.url("must be an http(s) address").optional(),
  /** Port of the inbox; set by the local stack alone. */
  INBOX_SMTP_PORT: z.coerce.number().int().positive().optional(),
});
