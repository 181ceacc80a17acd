import { requireCall } from "./require_call.ts";
import { findLinkUrl } from "./link_queries.ts";
import { noteVisit } from "./note_visit.ts";
import { respondWithGonePage } from "./pages/show_page.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/** Handles `GET /links/c/{token}`: redirects to the URL in the link table of the send. */
export async function followClick(
  c: LinksContext,
  service: LinksService,
  found: FoundLink,
): Promise<Response> {
  requireCall(service, found, "visit");
  const url = readTarget(await findLinkUrl(found.sql, found.link));
  if (url === undefined) return respondWithGonePage(c);
  await noteVisit(c, service, found);
  return c.body(null, 302, { "Location": url });
}

/**
 * Returns a stored URL in a form that is safe to redirect to; undefined unless it is http or https.
 */
function readTarget(stored: string | undefined): string | undefined {
  const url = URL.parse(stored ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
