import { z } from "zod";
import { databaseVariables, logVariables, secretVariables } from "../_shared/config/config.ts";
import { destinationVariables } from "../_shared/outbound/config.ts";

/** Environment variables of the webhook-dispatch function. */
export const dispatchConfig = z.object({
  ...databaseVariables,
  ...logVariables,
  ...secretVariables,
  ...destinationVariables,
  /** Set by the platform: `{"<name>": "sb_secret_…"}`. Only the key named dispatch is used. */
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
