import { z } from "zod";
import { parseAllowedCidrs } from "../_shared/outbound/addresses.ts";
import { databaseVariables, logVariables } from "../_shared/config.ts";

/** The variables `webhook-dispatch` reads. */
export const dispatchConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  SECRETS_ENCRYPTION_KEY: z.string(),
  DESTINATION_ALLOWED_CIDRS: z.string().default("").transform((text, context) => {
    try {
      return parseAllowedCidrs(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  }),
  /** Set by the platform: `{"<name>": "sb_secret_…"}`. Only the one named dispatch is of use. */
  SUPABASE_SECRET_KEYS: z.string().transform((text, context) => {
    const key = readKey(text, "dispatch");
    if (key !== undefined) return { dispatch: key };
    context.addIssue({ code: "custom", message: 'must be JSON and have a key named "dispatch"' });
    return z.NEVER;
  }),
});

function readKey(text: string, name: string): string | undefined {
  try {
    const key = JSON.parse(text)?.[name];
    return typeof key === "string" && key !== "" ? key : undefined;
  } catch {
    return undefined;
  }
}
