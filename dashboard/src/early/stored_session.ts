import type { Session } from "@supabase/auth-js";

/** Key under which Supabase Auth stores the session. */
export const storageKey = "signalpost-auth";

/** Supabase Auth renews a session that ends within this time before it is used. */
const renewedMs = 90_000;

/** Returns the session that Supabase Auth has stored; null if there is none to read. */
export function readStoredSession(): Session | null {
  try {
    const stored: Session | null = JSON.parse(localStorage.getItem(storageKey) ?? "null");
    return stored?.access_token && stored.refresh_token && stored.expires_at ? stored : null;
  } catch {
    return null;
  }
}

/** Returns whether a session can be used as it is, and need not be renewed first. */
export function isFresh({ expires_at }: Session): boolean {
  return (expires_at ?? 0) * 1000 - Date.now() > renewedMs;
}
