import type { HostedService } from "./hosted_service.ts";

/** A workspace with its own user and key, made through the public API alone. */
export interface Tenant {
  workspaceId: string;
  /** Session token of the owner. */
  token: string;
  /** A key with every scope. */
  apiKey: string;
  /** Calls the api as the owner, again while over its quota. */
  post<ResponseBody>(path: string, body: unknown): Promise<ResponseBody>;
}

const scopes = [
  ...["track:write", "customers:read", "customers:write", "events:read"],
  ...["destinations:read", "destinations:write", "deliveries:read", "deliveries:write"],
  ...["sources:read", "sources:write"],
];

/** Signs up and makes a workspace on the free plan. */
export async function createTenant(service: HostedService, email: string): Promise<Tenant> {
  const token = await service.signUp(email);
  const call = createCall(service, token);
  const { id: workspaceId } = await call<{ id: string }>("/workspaces", { name: email });
  const post = <ResponseBody>(path: string, body: unknown) =>
    call<ResponseBody>(path, body, workspaceId);
  const { key: apiKey } = await post<{ key: string }>("/api-keys", {
    name: "Bench",
    scopes: scopes,
  });
  return { workspaceId, token, apiKey, post };
}

function createCall({ urls }: HostedService, token: string) {
  return async <ResponseBody>(
    path: string,
    body: unknown,
    workspaceId?: string,
  ): Promise<ResponseBody> => {
    for (;;) {
      const response = await fetch(`${urls.api}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...workspaceId === undefined ? {} : { "x-workspace-id": workspaceId },
        },
        body: JSON.stringify(body),
      });
      if (response.ok) return await response.json();
      const text = await response.text();
      if (response.status !== 429) throw new Error(`Cannot set up: POST ${path}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
}
