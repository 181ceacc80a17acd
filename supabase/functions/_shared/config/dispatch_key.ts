import { z } from "zod";

/** The platform sets `{"<name>": "sb_secret_…"}`. Only the key named dispatch is used. */
interface SecretKeys {
  dispatch: string;
}

/** Variables of every function that only the service itself calls. */
export const dispatchKeyVariables = {
  SUPABASE_SECRET_KEYS: z.string().transform((text, context): SecretKeys => {
    const dispatch = readDispatchKey(text);
    if (dispatch !== undefined) return { dispatch };
    context.addIssue({ code: "custom", message: 'must be JSON and have a key named "dispatch"' });
    return z.NEVER;
  }),
};

/**
 * Variables of a function that calls such a function. It starts without the key: a project gets the
 * key named dispatch after its first deployment.
 */
export const callerKeyVariables = {
  SUPABASE_SECRET_KEYS: z.string().transform((text): Partial<SecretKeys> => {
    const dispatch = readDispatchKey(text);
    return dispatch === undefined ? {} : { dispatch };
  }).optional(),
};

function readDispatchKey(text: string): string | undefined {
  try {
    const key = JSON.parse(text)?.dispatch;
    return typeof key === "string" && key !== "" ? key : undefined;
  } catch {
    return undefined;
  }
}
