import {
  type ApiClient,
  type ApiInput,
  type ApiResponse,
  createApiClient as createClient,
  type RouteName,
} from "../../../supabase/functions/api/contract/client.ts";
import type { Auth } from "./auth_client.ts";
import type { SessionStore } from "./session.ts";
import type { Config } from "../early/config.ts";
import { takeEarlyResponse } from "../early/early_responses.ts";

export { ApiCallError } from "../../../supabase/functions/api/contract/client.ts";
export type { ApiClient, ApiInput, ApiResponse, RouteName };

/** Makes a client for a workspace, or for calls outside of any workspace. */
export type ApiClientMaker = (workspaceId?: string) => ApiClient;

/** Sends calls as the signed-in user, and signs the user out when the session is refused. */
export function createApiClients(
  { baseUrl }: Config,
  { auth, session }: { auth: Auth; session: SessionStore },
): ApiClientMaker {
  return (workspaceId) =>
    createClient({
      functionsUrl: `${baseUrl}/functions/v1`,
      headers: async () => {
        const { data } = await auth.getSession();
        // News of a sign-in in another tab arrives before its storage is visible here.
        const live = data.session ?? session.current();
        return {
          ...live ? { authorization: `Bearer ${live.access_token}` } : {},
          ...workspaceId ? { "x-workspace-id": workspaceId } : {},
        };
      },
      fetch: async (input, init) => {
        const response = await (takeEarly(input, init) ?? fetch(input, init));
        if (response.status === 401) {
          await endSession(auth, new Headers(init?.headers).get("authorization"));
        }
        return response;
      },
    });
}

function takeEarly(input: RequestInfo | URL, init: RequestInit = {}) {
  return init.method === "GET" ? takeEarlyResponse(String(input), init.headers ?? {}) : undefined;
}

/** Signs out after a refused token, unless another tab has renewed the session. */
async function endSession(auth: Auth, refused: string | null): Promise<void> {
  const { data } = await auth.getSession();
  if (data.session && refused === `Bearer ${data.session.access_token}`) {
    await auth.signOut({ scope: "local" });
  }
}
