import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { accountRoute } from "../../url/routes.ts";

export const routes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./start_page.tsx"), "StartPage"),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: "/invitations",
    component: lazyRouteComponent(() => import("./invitations_page.tsx"), "InvitationsPage"),
  }),
] as const;
