import { deleteRecentPages } from "../api/recent_pages.ts";
import { useServices } from "../api/services.ts";
import { deleteDrafts } from "../api/stored_drafts.ts";
import { useAskFirst } from "./leave_guard.tsx";

/** Returns the sign-out, which asks first if something was typed, and leaves nothing for the next user. */
export function useSignOut(): () => void {
  const { session } = useServices();
  const askFirst = useAskFirst();
  return () =>
    askFirst(() => {
      deleteDrafts();
      deleteRecentPages();
      void session.signOut();
    });
}
