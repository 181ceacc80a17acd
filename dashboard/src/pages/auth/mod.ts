import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { authRoute } from "../../url/routes.ts";
import { SignInPage } from "./sign_in_page.tsx";
import { readFilters } from "../../url/search_params.ts";

export const routes = [
  createRoute({
    getParentRoute: () => authRoute,
    path: "/sign-in",
    validateSearch: readFilters("next"),
    // Not loaded on its own: the first page of most visits.
    component: SignInPage,
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
    component: lazyRouteComponent(() => import("./forgot_password_page.tsx"), "ForgotPasswordPage"),
  }),
  createRoute({
    getParentRoute: () => authRoute,
    path: "/reset-password",
    component: lazyRouteComponent(() => import("./reset_password_page.tsx"), "ResetPasswordPage"),
  }),
] as const;
