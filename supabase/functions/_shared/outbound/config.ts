import { z } from "zod";
import { parseAllowedCidrs } from "./addresses.ts";

/** Variables every function that judges or calls a destination's URL reads. */
export const destinationVariables = {
  DESTINATION_ALLOWED_CIDRS: z.string().default("").transform((text, context) => {
    try {
      return parseAllowedCidrs(text);
    } catch {
      // The reason repeats what is in the variable.
      context.addIssue({ code: "custom", message: "must be CIDRs, separated by commas" });
      return z.NEVER;
    }
  }),
};
