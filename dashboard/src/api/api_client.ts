import type { Session } from "@supabase/auth-js";
import {
  ApiCallError,
  type ApiClient,
  type ApiInput,
  type ApiResponse,
  createApiClient as createClient,
  type RouteName,
} from "../../../supabase/functions/api/contract/client.ts";
import type { AuthLoader, SessionStore } from "./session.ts";
import type { Config } from "../early/config.ts";
import { takeEarlyResponse } from "../early/early_responses.ts";
import { isFresh, readStoredSession } from "../early/stored_session.ts";

export { ApiCallError };
export type { ApiClient, ApiInput, ApiResponse, RouteName };

/** Returns whether the api says that the called thing does not exist. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiCallError && error.status === 404;
}

/** Returns whether the api says that the state of the called thing does not allow the call. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiCallError && error.body.code === "conflict";
}

/** Makes a client for a workspace, or for calls outside of any workspace. */
export type ApiClientMaker = (workspaceId?: string) => ApiClient;

/** Sends calls as the signed-in user, and signs the user out when the session is refused. */
export function createApiClients(
  { baseUrl }: Config,
  { loadAuth, session }: { loadAuth: AuthLoader; session: SessionStore },
): ApiClientMaker {
  return (workspaceId) =>
    createClient({
      functionsUrl: `${baseUrl}/functions/v1`,
      headers: async () => {
        // News of a sign-in in another tab arrives before its storage is visible here.
        const live = await readSession(loadAuth) ?? session.current();
        return {
          ...live ? { authorization: `Bearer ${live.access_token}` } : {},
          ...workspaceId ? { "x-workspace-id": workspaceId } : {},
        };
      },
      fetch: async (input, init) => {
        const response = await (takeEarly(input, init) ?? fetch(input, init));
        if (response.status === 401) {
          await endSession(loadAuth, new Headers(init?.headers).get("authorization"));
        }
        return response;
      },
    });
}

function takeEarly(input: RequestInfo | URL, init: RequestInit = {}) {
  const { method = "GET", headers = {}, body } = init;
  return body ? undefined : takeEarlyResponse(String(input), { method, headers });
}

/** Returns the session, renewed if it ends soon. */
async function readSession(loadAuth: AuthLoader): Promise<Session | null> {
  const stored = readStoredSession();
  if (stored !== null && isFresh(stored)) return stored;
  const { data } = await (await loadAuth()).getSession();
  return data.session;
}

/** Signs out after a refused token, unless another tab has renewed the session. */
async function endSession(loadAuth: AuthLoader, refused: string | null): Promise<void> {
  const auth = await loadAuth();
  const { data } = await auth.getSession();
  if (data.session && refused === `Bearer ${data.session.access_token}`) {
    await auth.signOut({ scope: "local" });
  }
}
