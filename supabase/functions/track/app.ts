import type { Hono } from "hono";
import { createKeyring } from "../_shared/auth.ts";
import { authenticateKey } from "../_shared/db/api_keys.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ingestTexts } from "../_shared/db/ingest.ts";
import { takeTokens } from "../_shared/db/rate_limits.ts";
import { createApp, mountRoutes } from "../_shared/http_app.ts";
import { guardWithKey, type KeyRoute, type KeyVariables } from "../_shared/key_guard.ts";
import { errorFields, type Log } from "../_shared/log.ts";
import { createRateLimiter } from "../_shared/rate_limit.ts";
import { createBatcher } from "../_shared/batcher.ts";
import { registerDevice } from "./register_device.ts";
import { removeDevice } from "./remove_device.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { track } from "./track.ts";

export interface TrackDeps {
  sql: Sql;
  now: () => Date;
  log: Log;
}

interface TrackRoute extends Omit<KeyRoute<KeyVariables>, "handler"> {
  handle: (c: TrackContext, service: TrackService) => Promise<Response>;
}

const routes: readonly TrackRoute[] = [
  { method: "POST", path: "/", scope: "track:write", handle: track },
  { method: "POST", path: "/devices", scope: "track:write", handle: registerDevice },
  { method: "DELETE", path: "/devices", scope: "track:write", handle: removeDevice },
];

/** The Track API: `POST /track`, `POST` and `DELETE /track/devices`. */
export function createTrackApp({ sql, now, log }: TrackDeps): Hono<{ Variables: KeyVariables }> {
  const app = createApp<KeyVariables>({ name: "track", log, cors: true });
  const keyring = createKeyring({ now, lookUp: (hash) => authenticateKey(sql, hash) });
  const limiter = createRateLimiter({
    bucket: "ingest",
    now,
    takeTokens: (request) => takeTokens(sql, request),
    onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
  });
  const batcher = createBatcher({ store: (entries) => ingestTexts(sql, entries) });
  const service = { sql, now, limiter, batcher };
  mountRoutes(
    app,
    routes.map(({ handle, ...route }) =>
      guardWithKey({ ...route, handler: (c) => handle(c, service) }, { keyring, limiter })
    ),
  );
  return app;
}
