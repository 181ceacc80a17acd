import { AuthClient } from "@supabase/auth-js";
import type { Config } from "../early/config.ts";
import { storageKey } from "../early/stored_session.ts";

export type Auth = InstanceType<typeof AuthClient>;

/**
 * Creates the client of Supabase Auth with the settings of supabase-js. Links in emails carry a
 * one-time code that works only in the browser that asked for it, never a token.
 */
export function createAuthClient({ baseUrl, publishableKey }: Config): Auth {
  return new AuthClient({
    url: `${baseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey,
    flowType: "pkce",
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  });
}

/** Signs in with a password and out again, and returns the error of the attempt, if any. */
export async function tryPassword(
  { baseUrl, publishableKey }: Config,
  credentials: { email: string; password: string },
): Promise<Error | null> {
  const trial = new AuthClient({
    url: `${baseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: `${storageKey}-trial`,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
  });
  const { error } = await trial.signInWithPassword(credentials);
  if (error === null) await trial.signOut({ scope: "local" });
  return error;
}
