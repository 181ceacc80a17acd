import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { authRoute } from "../../url/routes.ts";
import { readFilters } from "../../url/search_params.ts";

export const routes = [
  createRoute({
    getParentRoute: () => authRoute,
    path: "/sign-in",
    validateSearch: readFilters("next"),
    component: lazyRouteComponent(() => import("./sign_in_page.tsx"), "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => authRoute,
    path: "/sign-up",
    validateSearch: readFilters("next", "email"),
    component: lazyRouteComponent(() => import("./sign_up_page.tsx"), "SignUpPage"),
  }),
  createRoute({
    getParentRoute: () => authRoute,
    path: "/forgot-password",
    validateSearch: readFilters("email"),
    component: lazyRouteComponent(() => import("./forgot_password_page.tsx"), "ForgotPasswordPage"),
  }),
  createRoute({
    getParentRoute: () => authRoute,
    path: "/reset-password",
    component: lazyRouteComponent(() => import("./reset_password_page.tsx"), "ResetPasswordPage"),
  }),
] as const;
