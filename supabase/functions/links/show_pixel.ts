import { noteVisit } from "./note_visit.ts";
import { spendCall } from "./require_call.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/** A transparent GIF of one pixel. */
const pixel = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  (character) => character.charCodeAt(0),
);

/** Handles `GET /links/o/{token}`: the image in a message, whose loading counts as an open. */
export async function showPixel(
  c: LinksContext,
  service: LinksService,
  found: FoundLink,
): Promise<Response> {
  if (spendCall(service, found, "visit")) await noteVisit(c, service, found);
  return c.body(pixel, 200, { "Content-Type": "image/gif" });
}
