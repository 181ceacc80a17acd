import type { Context } from "hono";
import type { AppVariables } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import type { CallBudget } from "../_shared/rate_limit/call_budget.ts";
import type { LinkFinder } from "./link_finder.ts";
import type { Probes } from "./probes.ts";

export type LinksContext = Context<{ Variables: AppVariables }>;

/** Dependencies that this function's handlers share for its lifetime. */
export interface LinksService {
  now: () => Date;
  log: Log;
  pagesUrl: string | undefined;
  finder: LinkFinder;
  /** Limits the calls about one send. */
  budget: CallBudget;
  probes: Probes;
}
