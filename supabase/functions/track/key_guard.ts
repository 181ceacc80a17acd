import type { Context } from "hono";
import {
  type ApiKey,
  type Keyring,
  otherWorkspace,
  readBearer,
  requireScope,
  type Scope,
} from "../_shared/access/auth.ts";
import type { AppVariables, Route } from "../_shared/http/http_app.ts";
import { type RateLimiter, setRateLimitHeaders } from "../_shared/rate_limit/rate_limit.ts";

/** Variables that a handler behind a key finds in `c.var`. */
export interface KeyVariables extends AppVariables {
  apiKey: ApiKey;
}

/** A route that requires a key with `scope`. */
export interface KeyRoute<Variables extends KeyVariables> extends Route<Variables> {
  scope: Scope;
  /** Reads the key from a request. @default a bearer token */
  readKey?: ((c: Context<{ Variables: Variables }>) => Promise<string>) | undefined;
}

export interface KeyGuard {
  keyring: Keyring;
  limiter: RateLimiter;
}

/**
 * Protects a route with a key: 401 without a live one, 403 without the scope, 404 if the call names
 * another workspace, 429 over the quota. One token is taken before the body is read, so that a
 * caller over the quota causes no parsing.
 */
export function guardWithKey<Variables extends KeyVariables>(
  route: KeyRoute<Variables>,
  { keyring, limiter }: KeyGuard,
): Route<Variables> {
  return {
    ...route,
    async handler(c) {
      const { readKey } = route;
      const sent = readKey ? await readKey(c) : readBearer(c.req.header("authorization"));
      const key = await keyring.authenticate(sent);
      c.set("apiKey", key);
      Object.assign(c.get("fields"), { workspace_id: key.workspaceId, api_key_id: key.id });
      setRateLimitHeaders(c, await limiter.take(key.workspaceId, 1));
      requireScope(key, route.scope);
      const refusal = otherWorkspace(key, c.req.header("x-workspace-id"));
      if (refusal !== undefined) throw refusal;
      return await route.handler(c);
    },
  };
}
