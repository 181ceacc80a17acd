import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useServices } from "../api/services.ts";
import { useSession } from "../api/session.ts";

/**
 * Returns whether the user is signed in. When the session ends, here or elsewhere, drops all data
 * and opens the sign-in page, which leads back to this page.
 */
export function useRequiredSession(): boolean {
  const { session, queries } = useServices();
  const isSignedIn = useSession(session) !== null;
  const router = useRouter();
  useEffect(() => {
    if (isSignedIn) return;
    queries.clear();
    const { href } = router.state.location;
    void router.navigate({ to: "/sign-in", search: href === "/" ? {} : { next: href } });
  }, [isSignedIn]);
  return isSignedIn;
}
