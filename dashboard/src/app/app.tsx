import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { makeRouter } from "./router.tsx";
import { type Services, ServicesProvider } from "../api/services.ts";
import { theme } from "../theme/theme.ts";

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
      <ServicesProvider value={services}>
        <QueryClientProvider client={services.queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}
