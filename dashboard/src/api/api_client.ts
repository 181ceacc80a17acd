import type { Auth } from "../auth/auth_client.ts";
import type { Config } from "../config.ts";
import { describeUnreachable, readFailure } from "./api_failure.ts";

export type Query = Record<string, string | number | undefined>;

export interface ApiRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  query?: Query;
  body?: unknown;
  workspaceId?: string | undefined;
  signal?: AbortSignal;
}

export interface ApiClient {
  /**
   * Asks `/functions/v1/api<path>` as the signed-in user.
   *
   * @throws ApiFailure
   */
  request<T>(path: string, request?: ApiRequest): Promise<T>;
}

export function createApiClient({ baseUrl }: Config, auth: Auth): ApiClient {
  return {
    async request<T>(path: string, { method = "GET", ...rest }: ApiRequest = {}) {
      const url = new URL(`${baseUrl}/functions/v1/api${path}`);
      for (const [name, value] of Object.entries(rest.query ?? {})) {
        if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
      }
      const { data } = await auth.getSession();
      const response = await fetch(url, {
        method,
        headers: {
          ...(data.session ? { authorization: `Bearer ${data.session.access_token}` } : {}),
          ...(rest.workspaceId ? { "x-workspace-id": rest.workspaceId } : {}),
          ...(rest.body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: rest.body === undefined ? null : JSON.stringify(rest.body),
        signal: rest.signal ?? null,
      }).catch((cause) => {
        throw rest.signal?.aborted ? cause : describeUnreachable(cause);
      });
      if (response.ok) return response.status === 204 ? (undefined as T) : await response.json();
      const failure = await readFailure(response);
      if (failure.status === 401) await auth.signOut({ scope: "local" });
      throw failure;
    },
  };
}
