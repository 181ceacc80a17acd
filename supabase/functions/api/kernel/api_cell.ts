import type { KeyCell } from "../../_shared/access/cell_keyring.ts";
import type { Sql } from "../../_shared/db/connect.ts";
import type { RateLimiter } from "../../_shared/rate_limit/rate_limit.ts";
import type { ThrottleLog } from "../../_shared/rate_limit/throttle_log.ts";
import type { ApiService } from "./route.ts";

/** The parts of the api that each cell has of its own. */
export interface ApiCell extends KeyCell {
  id: string;
  sql: Sql;
  limiter: RateLimiter;
  throttles: ThrottleLog;
  service: ApiService;
}
