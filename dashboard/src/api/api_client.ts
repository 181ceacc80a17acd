import {
  type ApiAnswer,
  type ApiClient,
  type ApiInput,
  createApiClient as createClient,
  type RouteName,
} from "../../../supabase/functions/api/client.ts";
import type { Auth } from "../auth/auth_client.ts";
import type { Config } from "../config.ts";

export { ApiCallError } from "../../../supabase/functions/api/client.ts";
export type { ApiAnswer, ApiClient, ApiInput, RouteName };

/** Makes a client for a workspace, or for calls that are about none. */
export type ApiClientMaker = (workspaceId?: string) => ApiClient;

/** Calls go out as the signed-in user; whose session is refused is signed out. */
export function createApiClients({ baseUrl }: Config, auth: Auth): ApiClientMaker {
  return (workspaceId) =>
    createClient({
      functionsUrl: `${baseUrl}/functions/v1`,
      headers: async () => {
        const { data } = await auth.getSession();
        return {
          ...data.session ? { authorization: `Bearer ${data.session.access_token}` } : {},
          ...workspaceId ? { "x-workspace-id": workspaceId } : {},
        };
      },
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (answer.status === 401) await auth.signOut({ scope: "local" });
        return answer;
      },
    });
}
