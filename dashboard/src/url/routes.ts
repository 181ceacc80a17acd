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

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Name of the draft of a dialog to open, such as `template:new`. */
    dialog?: string;
    /** True for a user who has just signed up. */
    isNew?: boolean;
    /** Filters of the lists on the way to this page, by their paths. */
    lists?: Readonly<Record<string, string>>;
    /** ID of the view that was opened last. The filters may have changed since. */
    view?: string;
  }
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

/** The pages of settings, below `/w/{workspace id}/settings`. */
export const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/settings",
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

/** Makes the route of a page below `/w/{workspace id}/settings`. */
export function settingsPage<const Path extends string, const Filter extends string = never>(
  path: Path,
  { component, filters = [] }: PageOptions<Filter>,
) {
  return createRoute({
    getParentRoute: () => settingsRoute,
    path,
    validateSearch: readFilters(...filters),
    component,
  });
}

/** Makes the route of a former address, which leads to the new one with its filters. */
export function movedPage<const Path extends string>(path: Path, to: `/${string}`) {
  return createRoute({
    getParentRoute: () => workspaceRoute,
    path,
    beforeLoad: ({ params, location }) => {
      const { workspaceId } = params as { workspaceId: string };
      // The router knows literal paths, and their filters, only.
      const target = `/w/${workspaceId}${to}` as "/";
      throw redirect({ to: target, search: location.search as never, replace: true });
    },
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
