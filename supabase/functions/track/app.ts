import type { Hono } from "hono";
import { createKeyring } from "../_shared/access/auth.ts";
import { authenticateKeys } from "../_shared/access/api_keys.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { ingestTexts } from "../_shared/entries/ingest.ts";
import { takeTokens } from "../_shared/rate_limit/rate_limits.ts";
import { createApp, mountRoutes } from "../_shared/http/http_app.ts";
import { guardWithKey, type KeyRoute } from "./key_guard.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import { createRateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import { createRejectionLog } from "./rejection_log.ts";
import { createClockBook } from "./segment/clock.ts";
import { segmentTypes } from "../_shared/segment/translate.ts";
import { createBatcher } from "../_shared/batching/batcher.ts";
import { createLoopShare } from "./loop_share.ts";
import { createLargeBodies } from "./large_bodies.ts";
import { registerDevice } from "./register_device.ts";
import { removeDevice } from "./remove_device.ts";
import { storeSegmentBatch, storeSegmentMessage } from "./segment/segment.ts";
import { readSegmentKey } from "./segment/segment_key.ts";
import { respondWithSegmentSettings } from "./segment/segment_settings.ts";
import type { TrackContext, TrackService, TrackVariables } from "./service.ts";
import { track } from "./track.ts";

export interface TrackDeps {
  sql: Sql;
  now: () => Date;
  log: Log;
  /** Base URL of the project, as its clients use it. */
  supabaseUrl: string;
}

interface TrackRoute extends Omit<KeyRoute<TrackVariables>, "handler"> {
  handle: (c: TrackContext, service: TrackService) => Promise<Response>;
}

const routes: readonly TrackRoute[] = [
  { method: "POST", path: "/", scope: "track:write", handle: track },
  { method: "POST", path: "/devices", scope: "track:write", handle: registerDevice },
  { method: "DELETE", path: "/devices", scope: "track:write", handle: removeDevice },
  ...segmentRoutes(["/v1/batch", "/v1/import", "/v1/b"], storeSegmentBatch),
  // The server libraries use the whole type, the browser library its first letter.
  ...segmentTypes.flatMap((type) =>
    segmentRoutes([`/v1/${type}`, `/v1/${type.charAt(0)}`], storeSegmentMessage(type))
  ),
];

function segmentRoutes(
  paths: readonly string[],
  handle: TrackRoute["handle"],
): readonly TrackRoute[] {
  return paths.map((path) => ({
    method: "POST",
    path,
    scope: "track:write",
    handle,
    readKey: readSegmentKey,
  }));
}

/**
 * Creates the Track API: `POST /track`, `/track/devices`, and Segment's wire format below
 * `/track/v1`.
 */
export function createTrackApp(deps: TrackDeps): Hono<{ Variables: TrackVariables }> {
  const { sql, now, log, supabaseUrl } = deps;
  const app = createApp<TrackVariables>({
    name: "track",
    log,
    sql,
    cors: true,
    // A page whose library gets no settings never sends anything.
    isWithoutSql: (path) => path.startsWith("/track/v1/projects/"),
    // Segment's libraries read the text of an error from `message`.
    repeatsMessage: (path) => path.startsWith("/track/v1/"),
  });
  const keyring = createKeyring({ now, lookUp: (hashes) => authenticateKeys(sql, hashes) });
  const limiter = createRateLimiter({
    bucket: "ingest",
    now,
    takeTokens: (request) => takeTokens(sql, request),
    onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
  });
  const batcher = createBatcher({ store: (entries) => ingestTexts(sql, entries) });
  const rejections = createRejectionLog({ sql, log });
  const clocks = createClockBook();
  const largeBodies = createLargeBodies(now);
  const loop = createLoopShare();
  const service = { sql, now, limiter, batcher, rejections, clocks, largeBodies, loop };
  mountRoutes(app, [
    ...routes.map(({ handle, ...route }) =>
      guardWithKey({ ...route, handler: (c) => handle(c, service) }, { keyring, limiter })
    ),
    {
      method: "GET",
      path: "/v1/projects/:key/settings",
      handler: (c) => respondWithSegmentSettings(c.req.param("key") ?? "", supabaseUrl),
    },
  ]);
  return app;
}
