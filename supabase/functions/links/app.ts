import type { Hono } from "hono";
import { type CellDatabases, listCells } from "../_shared/db/connect.ts";
import { createRoleCheck } from "../_shared/db/role_check.ts";
import { type Cells, mapCells } from "../_shared/config/cells.ts";
import { type AppVariables, createApp, mountRoutes, type Route } from "../_shared/http/http_app.ts";
import type { LinkKind } from "../_shared/links/link_token.ts";
import type { Log } from "../_shared/log/log.ts";
import { createCallBudget } from "../_shared/rate_limit/call_budget.ts";
import { followClick } from "./follow_click.ts";
import { createLinkFinder, createLinkKeys } from "./link_finder.ts";
import { changePreferences } from "./change_preferences.ts";
import { respondWithGonePage, showPage } from "./pages/show_page.ts";
import type { FoundLink, LinksCell } from "./found_link.ts";
import type { LinksContext, LinksService } from "./service.ts";
import { createProbes } from "./probes.ts";
import { showPixel } from "./show_pixel.ts";
import { unsubscribe } from "./unsubscribe.ts";

export interface LinksDeps extends CellDatabases {
  now: () => Date;
  log: Log;
  /** URL of a static page that shows the pages of this function. @default the function serves them */
  pagesUrl?: string | undefined;
}

interface LinksRoute extends Omit<Route<AppVariables>, "handler" | "path"> {
  kind: LinkKind;
  path: `/${string}/:token`;
  handle: (c: LinksContext, service: LinksService, found: FoundLink) => Promise<Response>;
}

const routes: readonly LinksRoute[] = [
  { method: "GET", path: "/o/:token", kind: "open", handle: showPixel },
  { method: "GET", path: "/c/:token", kind: "click", handle: followClick },
  { method: "GET", path: "/u/:token", kind: "unsubscribe", handle: showPage },
  { method: "POST", path: "/u/:token", kind: "unsubscribe", handle: unsubscribe },
  { method: "GET", path: "/p/:token", kind: "preferences", handle: showPage },
  { method: "POST", path: "/p/:token", kind: "preferences", handle: changePreferences },
];

/**
 * Creates the app behind the links in messages: `/links/{o,c,u,p}/{token}`. It needs no key: a token
 * is a MAC over the send. Only POST changes anything.
 */
export function createLinksApp(deps: LinksDeps): Hono<{ Variables: AppVariables }> {
  const { log, now, pagesUrl } = deps;
  const app = createApp<AppVariables>({
    name: "links",
    log,
    sql: deps.sql,
    otherCells: deps.otherCells,
    // For the static page of the dashboard. No cookie is read or set.
    cors: true,
  });
  const service: LinksService = {
    now,
    log,
    pagesUrl,
    finder: createLinkFinder({ cells: createLinksCells(deps), now }),
    budget: createCallBudget({ now }),
    probes: createProbes({ now }),
  };
  mountRoutes(
    app,
    routes.map(({ kind, handle, ...route }) => ({
      ...route,
      handler: (c) => handleLink(c, service, { kind, handle }),
    })),
  );
  return app;
}

async function handleLink(
  c: LinksContext,
  service: LinksService,
  { kind, handle }: Pick<LinksRoute, "kind" | "handle">,
): Promise<Response> {
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("X-Robots-Tag", "noindex");
  const token = c.req.param("token") ?? "";
  const found = await service.finder.find(token, kind);
  // Malformed, forged and foreign tokens get the same response.
  if (found === undefined) return respondWithGonePage(c);
  const { workspaceId, sendId } = found.link;
  Object.assign(c.get("fields"), { workspace_id: workspaceId, send_id: sendId });
  try {
    return await handle(c, service, found);
  } catch (error) {
    service.finder.noteError(workspaceId, error);
    throw error;
  }
}

function createLinksCells(deps: LinksDeps): Cells<LinksCell> {
  return mapCells(listCells(deps), (sql) => ({
    sql,
    checkRole: createRoleCheck(sql),
    keys: createLinkKeys({ sql, now: deps.now }),
  }));
}
