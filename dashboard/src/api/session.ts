import type { Session } from "@supabase/auth-js";
import { useSyncExternalStore } from "react";
import type { Auth } from "./auth_client.ts";

export interface SessionStore {
  /** Null when signed out. */
  current(): Session | null;
  /** True after the user has signed out here, so that no page waits for them. */
  isLeft(): boolean;
  /** Ends the session in this browser only, which works offline. */
  signOut(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

/** Resolves once the stored session has been read. */
export async function createSessionStore(auth: Auth): Promise<SessionStore> {
  const { data } = await auth.getSession();
  let session = data.session;
  let isLeft = false;
  const listeners = new Set<() => void>();
  auth.onAuthStateChange((_event, changed) => {
    session = changed;
    if (session !== null) isLeft = false;
    for (const listener of listeners) listener();
  });
  return {
    current: () => session,
    isLeft: () => isLeft,
    signOut: async () => {
      isLeft = true;
      await auth.signOut({ scope: "local" });
    },
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
