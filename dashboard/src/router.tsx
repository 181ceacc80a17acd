import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { AuthLayout } from "./auth/auth_layout.tsx";
import { LoadingPage } from "./components/loading_page.tsx";
import { BrokenPage } from "./components/broken_page.tsx";
import { readFilters } from "./filters.ts";
import { MissingPage } from "./components/missing_page.tsx";
import { parseSearch, stringifySearch } from "./search_params.ts";
import type { Services } from "./services.ts";

interface RouterContext {
  services: Services;
}

const root = createRootRouteWithContext<RouterContext>()();

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("./pages/start_page.tsx"), "StartPage"),
});

const invitations = createRoute({
  getParentRoute: () => root,
  path: "/invitations",
  beforeLoad: requireSession,
  component: lazyRouteComponent(
    () => import("./pages/invitations/invitations_page.tsx"),
    "InvitationsPage",
  ),
});

const auth = createRoute({ getParentRoute: () => root, id: "auth", component: AuthLayout });
const authPages = [
  createRoute({
    getParentRoute: () => auth,
    path: "/sign-in",
    validateSearch: readFilters("next"),
    component: lazyRouteComponent(() => import("./auth/sign_in_page.tsx"), "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/sign-up",
    validateSearch: readFilters("next", "email"),
    component: lazyRouteComponent(() => import("./auth/sign_up_page.tsx"), "SignUpPage"),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/forgot-password",
    component: lazyRouteComponent(
      () => import("./auth/forgot_password_page.tsx"),
      "ForgotPasswordPage",
    ),
  }),
  createRoute({
    getParentRoute: () => auth,
    path: "/reset-password",
    component: lazyRouteComponent(
      () => import("./auth/reset_password_page.tsx"),
      "ResetPasswordPage",
    ),
  }),
] as const;

const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspaceId",
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("./shell/workspace_root.tsx"), "WorkspaceRoot"),
});

const RANGE = ["range", "since", "until"] as const;

const workspacePages = [
  createRoute({
    getParentRoute: () => workspace,
    path: "/",
    validateSearch: readFilters(...RANGE),
    component: lazyRouteComponent(
      () => import("./pages/overview/overview_page.tsx"),
      "OverviewPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/getting-started",
    component: lazyRouteComponent(
      () => import("./pages/getting_started/getting_started_page.tsx"),
      "GettingStartedPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/events",
    validateSearch: readFilters("name", "customer_id", "event", ...RANGE),
    component: lazyRouteComponent(() => import("./pages/events/events_page.tsx"), "EventsPage"),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/customers",
    validateSearch: readFilters("q"),
    component: lazyRouteComponent(
      () => import("./pages/customers/customers_page.tsx"),
      "CustomersPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/customers/$customerId",
    validateSearch: readFilters("tab", "event"),
    component: lazyRouteComponent(
      () => import("./pages/customers/customer_page.tsx"),
      "CustomerPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/destinations",
    component: lazyRouteComponent(
      () => import("./pages/destinations/destinations_page.tsx"),
      "DestinationsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/destinations/new",
    component: lazyRouteComponent(
      () => import("./pages/destinations/new_destination_page.tsx"),
      "NewDestinationPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/destinations/$destinationId",
    validateSearch: readFilters(...RANGE),
    component: lazyRouteComponent(
      () => import("./pages/destinations/destination_page.tsx"),
      "DestinationPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/deliveries",
    validateSearch: readFilters("destination_id", "event_type", "ok", ...RANGE),
    component: lazyRouteComponent(
      () => import("./pages/deliveries/deliveries_page.tsx"),
      "DeliveriesPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/deliveries/$deliveryId",
    component: lazyRouteComponent(
      () => import("./pages/deliveries/delivery_page.tsx"),
      "DeliveryPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/sources",
    component: lazyRouteComponent(() => import("./pages/sources/sources_page.tsx"), "SourcesPage"),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/sources/new",
    component: lazyRouteComponent(
      () => import("./pages/sources/new_source_page.tsx"),
      "NewSourcePage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/sources/$sourceId",
    validateSearch: readFilters("tab", "outcome", "receipt", "entry"),
    component: lazyRouteComponent(() => import("./pages/sources/source_page.tsx"), "SourcePage"),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/rejected",
    validateSearch: readFilters("door", "entry"),
    component: lazyRouteComponent(
      () => import("./pages/rejected/rejected_page.tsx"),
      "RejectedPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/api-keys",
    component: lazyRouteComponent(
      () => import("./pages/api_keys/api_keys_page.tsx"),
      "ApiKeysPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/team",
    component: lazyRouteComponent(() => import("./pages/team/team_page.tsx"), "TeamPage"),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/audit-log",
    validateSearch: readFilters("action", "actor_id", ...RANGE),
    component: lazyRouteComponent(
      () => import("./pages/audit_log/audit_log_page.tsx"),
      "AuditLogPage",
    ),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/usage",
    validateSearch: readFilters(...RANGE),
    component: lazyRouteComponent(() => import("./pages/usage/usage_page.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: () => workspace,
    path: "/settings",
    component: lazyRouteComponent(
      () => import("./pages/settings/settings_page.tsx"),
      "SettingsPage",
    ),
  }),
] as const;

const routeTree = root.addChildren([
  start,
  invitations,
  auth.addChildren(authPages),
  workspace.addChildren(workspacePages),
]);

export function makeRouter(services: Services) {
  return createRouter({
    routeTree,
    context: { services },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: MissingPage,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

function requireSession({ context, location }: {
  context: RouterContext;
  location: { href: string };
}): void {
  if (context.services.session.current()) return;
  const search = location.href === "/" ? {} : { next: location.href };
  throw redirect({ to: "/sign-in", search });
}
