import type { Context } from "hono";
import {
  type ApiKey,
  otherWorkspace,
  readBearer,
  requireScope,
  type Scope,
} from "../_shared/access/auth.ts";
import type { CellKeyring } from "../_shared/access/cell_keyring.ts";
import type { AppVariables, Route } from "../_shared/http/http_app.ts";
import { type RateLimiter, setRateLimitHeaders } from "../_shared/rate_limit/rate_limit.ts";
import type { ThrottleLog } from "../_shared/rate_limit/throttle_log.ts";

/** Variables that a handler behind a key finds in `c.var`. */
export interface KeyVariables extends AppVariables {
  apiKey: ApiKey;
}

/** A route that requires a key with `scope`; its handler receives the cell of the key. */
export interface KeyRoute<Variables extends KeyVariables, Cell>
  extends Omit<Route<Variables>, "handler"> {
  scope: Scope;
  handle: (c: Context<{ Variables: Variables }>, cell: Cell) => Promise<Response>;
  /** Reads the key from a request. @default a bearer token */
  readKey?: ((c: Context<{ Variables: Variables }>) => Promise<string>) | undefined;
}

/** The parts of a cell that a guarded route needs. */
export interface GuardCell {
  limiter: RateLimiter;
  throttles: ThrottleLog;
}

/**
 * Protects a route with a key: 401 without a live one, 403 without the scope, 404 if the call names
 * another workspace, 429 over the quota. One token is taken before the body is read, so that
 * nothing is parsed for a caller over the quota.
 */
export function guardWithKey<Variables extends KeyVariables, Cell extends GuardCell>(
  route: KeyRoute<Variables, Cell>,
  keyring: CellKeyring<Cell>,
): Route<Variables> {
  const { handle, readKey, ...rest } = route;
  return {
    ...rest,
    async handler(c) {
      const sent = readKey ? await readKey(c) : readBearer(c.req.header("authorization"));
      const { key, cell } = await keyring.authenticate(sent);
      c.set("apiKey", key);
      Object.assign(c.get("fields"), { workspace_id: key.workspaceId, api_key_id: key.id });
      try {
        setRateLimitHeaders(c, await cell.limiter.take(key.workspaceId, 1));
        requireScope(key, route.scope);
        const refusal = otherWorkspace(key, c.req.header("x-workspace-id"));
        if (refusal !== undefined) throw refusal;
        return await handle(c, cell);
      } catch (error) {
        keyring.noteError(sent, error);
        const caller = { kind: "api_key", id: key.id } as const;
        cell.throttles.note(error, { workspaceId: key.workspaceId, caller });
        throw error;
      }
    },
  };
}
