import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useServices } from "../api/services.ts";
import { useSession } from "../api/session.ts";

/**
 * Returns whether the user is signed in. When the session ends, drops all data and opens the sign-in
 * page, which leads back to this page unless the user has signed out here.
 */
export function useRequiredSession(): boolean {
  const { session, queries } = useServices();
  const isSignedIn = useSession(session) !== null;
  const router = useRouter();
  useEffect(() => {
    if (isSignedIn) return;
    queries.clear();
    const { href } = router.state.location;
    const isBound = href !== "/" && !session.isLeft();
    void router.navigate({ to: "/sign-in", search: isBound ? { next: href } : {} });
  }, [isSignedIn]);
  return isSignedIn;
}
