import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import type { makeRouter } from "./router.tsx";
import { type Services, ServicesProvider } from "../api/services.ts";
import { useSession } from "../api/session.ts";
import { isVisitedBefore, loadFonts } from "../theme/load_fonts.ts";
import { theme } from "../theme/theme.ts";
import { loadOverlays } from "../ui/overlay_library.ts";
import { ReloadOffer } from "../ui/reload_offer.tsx";
import { useFirstContent } from "./use_first_content.ts";

/** Loads after the first page, which shows no notices. */
const Notices = lazy(() => import("../ui/notices.tsx"));

interface AppProps {
  services: Services;
  router: ReturnType<typeof makeRouter>;
}

/** The providers. Nothing draws them again: each drawing of Mantine's draws all of its parts. */
export function App({ services, router }: AppProps) {
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
          <ReloadOffer />
          <LaterParts services={services} router={router} />
        </QueryClientProvider>
      </ServicesProvider>
    </MantineProvider>
  );
}

/** Loads what the first page shows without. */
function LaterParts({ services, router }: AppProps) {
  const isSignedIn = useSession(services.session) !== null;
  const hasContent = useFirstContent(services, router);
  const mayHaveFonts = hasContent || isVisitedBefore();
  useEffect(() => {
    if (mayHaveFonts) loadFonts();
  }, [mayHaveFonts]);
  useEffect(() => {
    // Later calls try again.
    if (hasContent) services.loadAuth().catch(() => {});
    if (hasContent) void loadOverlays();
  }, [hasContent]);
  return isSignedIn && hasContent && (
    <Suspense>
      <Notices />
    </Suspense>
  );
}
