import type { Session } from "@supabase/auth-js";
import { useSyncExternalStore } from "react";
import type { Config } from "../early/config.ts";
import { isFresh, readStoredSession, storageKey } from "../early/stored_session.ts";
import type { Auth } from "./auth_client.ts";

export interface SessionStore {
  /** Null when signed out. */
  current(): Session | null;
  /** True after the user has signed out here, so that no page waits for them. */
  isLeft(): boolean;
  /** True after a session has ended that the user did not leave here. */
  hasEnded(): boolean;
  /** Ends the session in this browser only, which works offline. */
  signOut(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

/** Loads the client of Supabase Auth, once. It keeps the session of the store up to date. */
export type AuthLoader = () => Promise<Auth>;

/**
 * Opens the stored session. Supabase Auth is large, and the first page does not wait for it, unless
 * the session must be renewed or a link of an email carries a code.
 */
export async function openSession(
  config: Config,
): Promise<{ session: SessionStore; loadAuth: AuthLoader }> {
  let session = readStoredSession();
  let isLeft = false;
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const change = (changed: Session | null) => {
    hasEnded = changed === null && !isLeft && (hasEnded || session !== null);
    session = changed;
    if (session !== null) isLeft = false;
    for (const listener of listeners) listener();
  };
  const loadAuth = loadOnce(async () => {
    const { createAuthClient } = await import("./auth_client.ts");
    const auth = createAuthClient(config);
    const { data } = await auth.getSession();
    change(data.session);
    auth.onAuthStateChange((_event, changed) => change(changed));
    return auth;
  });
  if (hasCode() || (session !== null && !isFresh(session))) await loadAuth();
  const store: SessionStore = {
    current: () => session,
    isLeft: () => isLeft,
    hasEnded: () => hasEnded,
    signOut: async () => {
      // Undefined if it is not there yet and the network is gone.
      const auth = await loadAuth().catch(() => undefined);
      isLeft = true;
      if (auth !== undefined) return void await auth.signOut({ scope: "local" });
      localStorage.removeItem(storageKey);
      change(null);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { session: store, loadAuth };
}

/** Tries again after a failure: the network may be back. */
function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () =>
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
}

/** Returns whether the address comes from a link of Supabase Auth. */
function hasCode(): boolean {
  return /[?&#](code|access_token|error|error_description)=/.test(location.href);
}

/** The signed-in user's session. Redraws the component when it changes. */
export function useSession(store: SessionStore): Session | null {
  return useSyncExternalStore(store.subscribe, store.current);
}
