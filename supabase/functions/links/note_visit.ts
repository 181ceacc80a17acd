import { isMoving } from "../_shared/db/errors.ts";
import { errorFields } from "../_shared/log/log.ts";
import { isAutomated } from "./is_automated.ts";
import { recordVisit } from "./link_queries.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/**
 * Records a visit of a link, unless it is a HEAD request. A reader gets the image or the redirect even if the visit
 * cannot be recorded.
 */
export async function noteVisit(
  c: LinksContext,
  { now, log, finder }: LinksService,
  { link, sql }: FoundLink,
): Promise<void> {
  if (c.req.method !== "GET") return;
  try {
    await recordVisit(sql, link, { isAutomated: isAutomated(c.req.raw.headers), at: now() });
  } catch (error) {
    finder.noteError(link.workspaceId, error);
    if (!isMoving(error)) log.warn("visit not recorded", errorFields(error));
  }
}
