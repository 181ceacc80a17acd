import type { Session } from "@supabase/auth-js";
import { useSyncExternalStore } from "react";
import type { Auth } from "./auth_client.ts";

export interface SessionStore {
  /** Null when signed out. */
  current(): Session | null;
  subscribe(listener: () => void): () => void;
}

/** Resolves once the stored session has been read. */
export async function createSessionStore(auth: Auth): Promise<SessionStore> {
  const { data } = await auth.getSession();
  let session = data.session;
  const listeners = new Set<() => void>();
  auth.onAuthStateChange((_event, changed) => {
    session = changed;
    for (const listener of listeners) listener();
  });
  return {
    current: () => session,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The signed-in user's session. Redraws the component when it changes. */
export function useSession(store: SessionStore): Session | null {
  return useSyncExternalStore(store.subscribe, store.current);
}
