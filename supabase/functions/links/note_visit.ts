import { isMoving } from "../_shared/db/errors.ts";
import { errorFields } from "../_shared/log/log.ts";
import { isAutomated } from "./is_automated.ts";
import { recordVisit } from "./link_queries.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/**
 * Records a visit of a link. A HEAD request is not a visit, but shows that a scanner is coming. A
 * reader gets the image or the redirect even if the visit cannot be recorded.
 */
export async function noteVisit(
  c: LinksContext,
  { now, log, finder, probes }: LinksService,
  { link, sql }: FoundLink,
): Promise<void> {
  const { method, raw: { headers } } = c.req;
  if (method === "HEAD") probes.note(link.sendId, headers);
  if (method !== "GET") return;
  const isByMachine = isAutomated(headers) || probes.isProbing(link.sendId, headers);
  try {
    await recordVisit(sql, link, { isAutomated: isByMachine, at: now() });
  } catch (error) {
    finder.noteError(link.workspaceId, error);
    if (!isMoving(error)) log.warn("visit not recorded", errorFields(error));
  }
}
