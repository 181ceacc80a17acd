import { invalidInput } from "../_shared/errors/errors.ts";
import { setPreferences } from "./link_queries.ts";
import { respondWithGonePage, respondWithPage } from "./pages/show_page.ts";
import { readForm } from "./read_form.ts";
import { requireCall } from "./require_call.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/**
 * Handles `POST /links/u/{token}`: withdraws the topic of the send, or everything if it has none. A
 * mail program sends `List-Unsubscribe=One-Click` (RFC 8058), the page `confirm=unsubscribe`.
 */
export async function unsubscribe(
  c: LinksContext,
  service: LinksService,
  found: FoundLink,
): Promise<Response> {
  requireCall(service, found, "choice");
  const form = await readForm(c.req.raw);
  const isOneClick = form.get("List-Unsubscribe")?.toLowerCase() === "one-click";
  if (!isOneClick && form.get("confirm") !== "unsubscribe") {
    const message = "must be List-Unsubscribe=One-Click";
    throw invalidInput([{ field: "", message }]);
  }
  const isSet = await setPreferences(found.sql, found.link, { changes: null, at: service.now() });
  if (!isSet) return respondWithGonePage(c);
  return isOneClick ? c.text("Unsubscribed\n") : await respondWithPage(c, found, "unsubscribed");
}
