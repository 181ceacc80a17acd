import { AuthClient } from "@supabase/auth-js";
import type { Config } from "./config.ts";

const storageKey = "signalpost-auth";

export type Auth = InstanceType<typeof AuthClient>;

/**
 * Creates the client of Supabase Auth with the settings of supabase-js. Links in emails carry a
 * one-time code that works only in the browser that asked for it, never a token.
 */
export function createAuthClient({ baseUrl, publishableKey }: Config): Auth {
  return new AuthClient({
    url: `${baseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: storageKey,
    flowType: "pkce",
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  });
}
