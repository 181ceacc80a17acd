import { z } from "zod";
import { parseAllowedCidrs } from "./addresses.ts";

/** Variables of every function that checks or calls a destination's URL. */
export const destinationVariables = {
  DESTINATION_ALLOWED_CIDRS: z.string().default("").transform((text, context) => {
    try {
      return parseAllowedCidrs(text);
    } catch {
      // The parser's own message would repeat the variable's value.
      context.addIssue({ code: "custom", message: "must be CIDRs, separated by commas" });
      return z.NEVER;
    }
  }),
};
