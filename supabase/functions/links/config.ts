import { z } from "zod";
import { databaseVariables, logVariables } from "../_shared/config/config.ts";

/** Environment variables of the links function. */
export const linksConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  /**
   * URL of the dashboard's static page `preferences.html`. Set it where the platform serves no
   * HTML from functions. Unset: the function serves the pages.
   */
  LINK_PAGES_URL: z.url("must be an http(s) address").optional(),
});
