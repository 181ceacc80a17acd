import { useLocation, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { forgetPages, type RecentOwner, rememberPage } from "../api/recent_pages.ts";
import { useServices } from "../api/services.ts";
import { useSession } from "../api/session.ts";
import { useOpenWorkspace } from "../api/workspace.ts";

/** The person and the open workspace; undefined outside of any. */
export function useRecentOwner(): RecentOwner | undefined {
  const workspaceId = useOpenWorkspace()?.id;
  const userId = useSession(useServices().session)?.user.id;
  return workspaceId === undefined || userId === undefined ? undefined : { userId, workspaceId };
}

/** The path below that of the workspace; undefined while the page of another one is still shown. */
function useShownPath(): string | undefined {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const resolved = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  return path === resolved ? path.replace(/^\/w\/[^/]+/, "").replace(/\/$/, "") : undefined;
}

/**
 * Remembers the page for the search.
 * @param search parameters without which it would show something else
 */
export function useRecentPage(title: string, search: Record<string, string> = {}): void {
  const owner = useRecentOwner();
  const path = useShownPath();
  useEffect(() => {
    if (owner && path !== undefined) rememberPage(owner, { path, search, title });
  }, [owner?.userId, owner?.workspaceId, path, title, JSON.stringify(search)]);
}

/** Forgets the page of the address, which does not exist. */
export function useMissingPage(): void {
  const owner = useRecentOwner();
  const path = useShownPath();
  useEffect(() => {
    if (owner && path !== undefined) forgetPages(owner, path);
  }, [owner?.userId, owner?.workspaceId, path]);
}
