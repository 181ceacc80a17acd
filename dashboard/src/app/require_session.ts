import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useServices } from "../api/services.ts";
import { useSession } from "../api/session.ts";

/**
 * Whether somebody is signed in. Once nobody is, here, in another tab or because the session has
 * ended, what was read is forgotten and the sign-in page leads back to where this was.
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
