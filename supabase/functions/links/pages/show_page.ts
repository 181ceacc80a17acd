import { ApiError, errorBody } from "../../_shared/errors/errors.ts";
import { linkKinds } from "../../_shared/links/link_token.ts";
import { pickLanguage } from "../../_shared/links/page_texts.ts";
import { renderGonePage, renderPage } from "../../_shared/links/render_page.ts";
import { findPreferences } from "../link_queries.ts";
import { requireCall } from "../require_call.ts";
import type { FoundLink } from "../found_link.ts";
import type { LinksContext, LinksService } from "../service.ts";
import { pageHeaders } from "./page_headers.ts";
import { buildView, type ViewOptions } from "./view.ts";

/** Handles `GET /links/u/{token}` and `/links/p/{token}`: shows a page and changes nothing. */
export async function showPage(
  c: LinksContext,
  service: LinksService,
  found: FoundLink,
): Promise<Response> {
  requireCall(service, found, "page");
  const { pagesUrl } = service;
  if (pagesUrl !== undefined && !wantsJson(c)) {
    // A fragment reaches no server and no log.
    const url = `${pagesUrl}#${linkKinds[found.link.kind]}/${c.req.param("token")}`;
    return c.body(null, 302, { "Location": url });
  }
  return await respondWithPage(c, found);
}

/** Responds with the page of a link, as HTML or for the static page as JSON. */
export async function respondWithPage(
  c: LinksContext,
  found: FoundLink,
  done?: ViewOptions["done"],
): Promise<Response> {
  const preferences = await findPreferences(found.sql, found.link);
  if (preferences === undefined) return respondWithGonePage(c);
  const language = pickLanguage(preferences.locale, c.req.header("accept-language"));
  const view = buildView({ found, preferences, language, done });
  return wantsJson(c) ? c.json(view) : c.body(renderPage(view), 200, pageHeaders);
}

/** Responds to a link that leads nowhere: a page for people, an error for programs. */
export function respondWithGonePage(c: LinksContext): Response {
  const language = pickLanguage(null, c.req.header("accept-language"));
  if (/\btext\/html\b/i.test(c.req.header("accept") ?? "")) {
    return c.body(renderGonePage(language), 404, pageHeaders);
  }
  const error = new ApiError("not_found", "Link does not exist");
  const { lang, dir, texts } = language;
  const page = { lang, dir, title: texts.gone, text: texts.goneHint };
  return c.json({ ...errorBody(error, c.get("requestId")), page }, error.status);
}

function wantsJson(c: LinksContext): boolean {
  const accept = c.req.header("accept") ?? "";
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
