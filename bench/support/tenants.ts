import type { HostedService } from "./hosted_service.ts";

/** A workspace with its own user and key, made through the public API alone. */
export interface Tenant {
  workspaceId: string;
  /** Session token of the owner. */
  token: string;
  /** A key with every scope. */
  apiKey: string;
  /** Calls the api as the owner, again while over its quota. */
  post<Answer>(path: string, body: unknown): Promise<Answer>;
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
  const post = <Answer>(path: string, body: unknown) => call<Answer>(path, body, workspaceId);
  const { key: apiKey } = await post<{ key: string }>("/api-keys", {
    name: "Bench",
    scopes: scopes,
  });
  return { workspaceId, token, apiKey, post };
}

function createCall({ urls }: HostedService, token: string) {
  return async <Answer>(path: string, body: unknown, workspaceId?: string): Promise<Answer> => {
    for (;;) {
      const answer = await fetch(`${urls.api}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...workspaceId === undefined ? {} : { "x-workspace-id": workspaceId },
        },
        body: JSON.stringify(body),
      });
      if (answer.ok) return await answer.json();
      const text = await answer.text();
      if (answer.status !== 429) throw new Error(`Cannot set up: POST ${path}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
}
