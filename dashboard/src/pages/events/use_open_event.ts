import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Names an event in the page's address, which opens it; the same function on every drawing. */
export function useOpenEvent(): (eventId: string) => void {
  const navigate = useNavigate();
  return useCallback((event: string) => {
    void navigate({
      to: ".",
      search: (current: Record<string, unknown>) => ({ ...current, event }),
      replace: true,
    });
  }, [navigate]);
}
