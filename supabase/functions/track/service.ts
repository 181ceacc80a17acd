import type { Context } from "hono";
import type { Sql } from "../_shared/db/connect.ts";
import type { KeyVariables } from "./key_guard.ts";
import type { RateLimiter } from "../_shared/rate_limit/rate_limit.ts";
import type { RejectionLog } from "./rejection_log.ts";
import type { Batcher, Room } from "../_shared/batching/batcher.ts";
import type { ClockBook } from "./segment/clock.ts";
import type { LoopShare } from "./loop_share.ts";
import type { LargeBodies } from "./large_bodies.ts";
import type { ReceivedBody } from "./received_body.ts";

/** Variables that the handlers of this function find in `c.var`. */
export interface TrackVariables extends KeyVariables {
  /** The body, if it was received to find the key in it. */
  receivedBody?: ReceivedBody;
  /** Room for the entries of the body, until they are stored or refused. */
  room?: Room;
}

export type TrackContext = Context<{ Variables: TrackVariables }>;

/** Dependencies that this function's handlers share for its lifetime. */
export interface TrackService {
  sql: Sql;
  now: () => Date;
  limiter: RateLimiter;
  batcher: Batcher;
  rejections: RejectionLog;
  clocks: ClockBook;
  largeBodies: LargeBodies;
  loop: LoopShare;
}
