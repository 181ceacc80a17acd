import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { makeRouter } from "./router.tsx";
import { type Services, ServicesProvider } from "./services.ts";
import { theme } from "./theme.ts";

/** Nothing is noticed before something was done, so it need not be there for the first sight. */
const Notices = lazy(() => import("./components/notices.tsx"));

interface AppProps {
  services: Services;
  router: ReturnType<typeof makeRouter>;
}

export function App({ services, router }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both are in the built style sheet: static_styles.ts.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Suspense>
        <Notices />
      </Suspense>
      <ServicesProvider value={services}>
        <QueryClientProvider client={services.queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}
