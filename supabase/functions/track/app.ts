import type { Hono } from "hono";
import { createCellKeyring, createKeyCell, type KeyCell } from "../_shared/access/cell_keyring.ts";
import { type CellDatabases, listCells } from "../_shared/db/connect.ts";
import { type Cells, mapCells } from "../_shared/config/cells.ts";
import { ingestTexts } from "../_shared/entries/ingest.ts";
import { takeTokens } from "../_shared/rate_limit/rate_limits.ts";
import { createApp, mountRoutes } from "../_shared/http/http_app.ts";
import { type GuardCell, guardWithKey, type KeyRoute } from "./key_guard.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import { createRateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import { createThrottleLog, type Schedule } from "../_shared/rate_limit/throttle_log.ts";
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
import type { TrackService, TrackVariables } from "./service.ts";
import { track } from "./track.ts";

export interface TrackDeps extends CellDatabases {
  now: () => Date;
  log: Log;
  /** Base URL of the project, as its clients use it. */
  supabaseUrl: string;
  /** Runs work later. @default at once */
  schedule?: Schedule | undefined;
}

type TrackCell = TrackService & KeyCell & GuardCell;
type TrackRoute = KeyRoute<TrackVariables, TrackCell>;

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
  const { log, supabaseUrl } = deps;
  const app = createApp<TrackVariables>({
    name: "track",
    log,
    sql: deps.sql,
    otherCells: deps.otherCells,
    cors: true,
    // A page whose library gets no settings never sends anything.
    isWithoutSql: (path) => path.startsWith("/track/v1/projects/"),
    // Segment's libraries read the text of an error from `message`.
    repeatsMessage: (path) => path.startsWith("/track/v1/"),
  });
  const cells = createTrackCells(deps);
  const keyring = createCellKeyring(cells);
  mountRoutes(app, [
    ...routes.map((route) => guardWithKey({ ...route, handle: leaveRoomAfter(route) }, keyring)),
    {
      method: "GET",
      path: "/v1/projects/:key/settings",
      handler: (c) => respondWithSegmentSettings(c.req.param("key") ?? "", supabaseUrl),
    },
  ]);
  return app;
}

/** Returns the route's handler, which frees the room of a request that stored nothing. */
function leaveRoomAfter({ handle }: TrackRoute): TrackRoute["handle"] {
  return async (c, cell) => {
    try {
      return await handle(c, cell);
    } finally {
      c.get("room")?.leave();
    }
  };
}

/** Creates the services of each cell. An instance has one event loop, which all cells share. */
function createTrackCells({ now, log, schedule, ...databases }: TrackDeps): Cells<TrackCell> {
  const clocks = createClockBook();
  const largeBodies = createLargeBodies(now);
  const loop = createLoopShare();
  return mapCells(listCells(databases), (sql) => ({
    ...createKeyCell({ ...databases, sql, now }),
    sql,
    now,
    limiter: createRateLimiter({
      bucket: "ingest",
      now,
      takeTokens: (request) => takeTokens(sql, request),
      onUnreachable: (error) => log.warn("rate limit unreachable", errorFields(error)),
    }),
    throttles: createThrottleLog({ sql, log, now, schedule }),
    batcher: createBatcher({ store: (entries) => ingestTexts(sql, entries) }),
    rejections: createRejectionLog({ sql, log }),
    clocks,
    largeBodies,
    loop,
  }));
}
