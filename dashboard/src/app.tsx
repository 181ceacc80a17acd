import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { makeRouter } from "./router.tsx";
import { type Services, ServicesProvider } from "./services.ts";
import { cssVariablesResolver, theme } from "./theme.ts";

interface AppProps {
  services: Services;
  router: ReturnType<typeof makeRouter>;
}

export function App({ services, router }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateCssVariables={false}
    >
      <Notifications position="bottom-right" />
      <ServicesProvider value={services}>
        <QueryClientProvider client={services.queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}
