import { createRouter, lazyRouteComponent } from "@tanstack/react-router";
import type { Services } from "../api/services.ts";
import { setMovedOn } from "../api/stored_drafts.ts";
import * as account from "../pages/account/mod.ts";
import * as alerts from "../pages/alerts/mod.ts";
import * as apiKeys from "../pages/api_keys/mod.ts";
import * as auditLog from "../pages/audit_log/mod.ts";
import * as auth from "../pages/auth/mod.ts";
import { AuthLayout } from "../pages/auth/auth_layout.tsx";
import * as campaigns from "../pages/campaigns/mod.ts";
import * as catalogue from "../pages/catalogue/mod.ts";
import * as customers from "../pages/customers/mod.ts";
import * as deliveries from "../pages/deliveries/mod.ts";
import * as destinations from "../pages/destinations/mod.ts";
import * as events from "../pages/events/mod.ts";
import * as explore from "../pages/explore/mod.ts";
import * as gettingStarted from "../pages/getting_started/mod.ts";
import * as journeys from "../pages/journeys/mod.ts";
import * as messages from "../pages/messages/mod.ts";
import * as overview from "../pages/overview/mod.ts";
import * as rejected from "../pages/rejected/mod.ts";
import * as senders from "../pages/senders/mod.ts";
import * as segments from "../pages/segments/mod.ts";
import * as sends from "../pages/sends/mod.ts";
import * as settings from "../pages/settings/mod.ts";
import * as sources from "../pages/sources/mod.ts";
import * as suppressions from "../pages/suppressions/mod.ts";
import * as team from "../pages/team/mod.ts";
import * as templates from "../pages/templates/mod.ts";
import * as topics from "../pages/topics/mod.ts";
import * as usage from "../pages/usage/mod.ts";
import { BrokenPage, MissingPage } from "../ui/fallback_pages.tsx";
import { LoadingPage } from "../ui/skeletons.tsx";
import {
  accountRoute,
  authRoute,
  rootRoute,
  settingsRoute,
  workspaceRoute,
} from "../url/routes.ts";
import { parseSearch, stringifySearch } from "../url/search_params.ts";

authRoute.update({ component: AuthLayout });
accountRoute.update({
  component: lazyRouteComponent(() => import("./account_root.tsx"), "AccountRoot"),
});
workspaceRoute.update({
  component: lazyRouteComponent(() => import("./workspace_root.tsx"), "WorkspaceRoot"),
});
settingsRoute.update({
  component: lazyRouteComponent(() => import("./settings_layout.tsx"), "SettingsLayout"),
});

const routeTree = rootRoute.addChildren([
  authRoute.addChildren(auth.routes),
  accountRoute.addChildren(account.routes),
  workspaceRoute.addChildren([
    ...overview.routes,
    ...gettingStarted.routes,
    ...events.routes,
    ...catalogue.routes,
    ...explore.routes,
    ...customers.routes,
    ...segments.routes,
    ...journeys.routes,
    ...campaigns.routes,
    ...templates.routes,
    ...topics.routes,
    ...suppressions.routes,
    ...senders.routes,
    ...sends.routes,
    ...sources.routes,
    ...rejected.routes,
    ...destinations.routes,
    ...messages.routes,
    ...alerts.routes,
    ...deliveries.routes,
    ...apiKeys.routes,
    ...team.routes,
    ...usage.routes,
    ...auditLog.routes,
    settingsRoute.addChildren([
      ...settings.settingsRoutes,
      ...apiKeys.settingsRoutes,
      ...team.settingsRoutes,
      ...usage.settingsRoutes,
      ...auditLog.settingsRoutes,
      ...account.settingsRoutes,
    ]),
  ]),
]);

export function makeRouter(services: Services) {
  const router = createRouter({
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
  router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    const isSigningIn = router.state.matches.some(({ routeId }) => routeId === authRoute.id);
    setMovedOn(!isSigningIn && services.session.current() !== null);
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
