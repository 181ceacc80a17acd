import { AuthClient } from "@supabase/auth-js";
import type { Config } from "./config.ts";

const STORAGE_KEY = "signalpost-auth";

export type Auth = InstanceType<typeof AuthClient>;

/**
 * Supabase Auth, as supabase-js wires it. Links in mails carry a one-time code that only the
 * browser which asked for it can use, never a token.
 */
export function createAuth({ baseUrl, publishableKey }: Config): Auth {
  return new AuthClient({
    url: `${baseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey: STORAGE_KEY,
    flowType: "pkce",
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  });
}
