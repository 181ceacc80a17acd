import { invalidInput } from "../_shared/errors/errors.ts";
import { uuidForm } from "../_shared/ids/uuid.ts";
import { type PreferenceChange, setPreferences } from "./link_queries.ts";
import { respondWithGonePage, respondWithPage } from "./pages/show_page.ts";
import { readForm } from "./read_form.ts";
import { requireCall } from "./require_call.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";

/**
 * Handles `POST /links/p/{token}`: `shown` names each topic of the form, `topic` names the ticked
 * ones, and `all=unsubscribe` withdraws everything.
 */
export async function changePreferences(
  c: LinksContext,
  service: LinksService,
  found: FoundLink,
): Promise<Response> {
  requireCall(service, found, "choice");
  const changes = readChanges(await readForm(c.req.raw));
  const isSet = await setPreferences(found.sql, found.link, { changes, at: service.now() });
  return isSet ? await respondWithPage(c, found, "saved") : respondWithGonePage(c);
}

function readChanges(form: URLSearchParams): PreferenceChange[] {
  if (form.get("all") === "unsubscribe") return [{ topic_id: null, subscribed: false }];
  if (form.get("confirm") !== "save") {
    throw invalidInput([{ field: "confirm", message: 'must be "save"' }]);
  }
  const ticked = new Set(form.getAll("topic"));
  // A topic that was not on the page keeps its state.
  return [...new Set(form.getAll("shown"))].map((topic_id) => {
    if (!uuidForm.test(topic_id)) {
      throw invalidInput([{ field: "shown", message: "must be the id of a topic" }]);
    }
    return { topic_id, subscribed: ticked.has(topic_id) };
  });
}
