import {
  createRootRouteWithContext,
  createRoute,
  redirect,
  type RouteComponent,
} from "@tanstack/react-router";
import type { Services } from "../api/services.ts";
import { readFilters } from "./search_params.ts";

interface RouterContext {
  services: Services;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()();

/** The pages before there is a session. */
export const authRoute = createRoute({ getParentRoute: () => rootRoute, id: "auth" });

/** The pages of a user outside of any workspace. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "account",
  beforeLoad: requireSession,
});

export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/w/$workspaceId",
  beforeLoad: requireSession,
});

/** Filters of a page that shows a span of time. */
export const rangeFilters = ["range", "since", "until"] as const;

interface PageOptions<Filter extends string> {
  component: RouteComponent;
  /** Parameters that the page reads from its address. */
  filters?: readonly Filter[];
}

/** Makes the route of a page below `/w/{workspace id}`. */
export function workspacePage<const Path extends string, const Filter extends string = never>(
  path: Path,
  { component, filters = [] }: PageOptions<Filter>,
) {
  return createRoute({
    getParentRoute: () => workspaceRoute,
    path,
    validateSearch: readFilters(...filters),
    component,
  });
}

function requireSession({ context, location }: {
  context: RouterContext;
  location: { href: string };
}): void {
  if (context.services.session.current()) return;
  const search = location.href === "/" ? {} : { next: location.href };
  throw redirect({ to: "/sign-in", search });
}
