import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { makeRouter } from "./router.tsx";
import { type Services, ServicesProvider } from "../api/services.ts";
import { useSession } from "../api/session.ts";
import { theme } from "../theme/theme.ts";

/** Loads after the sign-in page, which shows no notices. */
const Notices = lazy(() => import("../ui/notices.tsx"));

interface AppProps {
  services: Services;
  router: ReturnType<typeof makeRouter>;
}

export function App({ services, router }: AppProps) {
  const isSignedIn = useSession(services.session) !== null;
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both are part of the built style sheet: see static_styles.ts.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <ServicesProvider value={services}>
        <QueryClientProvider client={services.queries}>
          <RouterProvider router={router} />
          {isSignedIn && (
            <Suspense>
              <Notices />
            </Suspense>
          )}
        </QueryClientProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}
