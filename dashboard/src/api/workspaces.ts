import { useQuery } from "@tanstack/react-query";
import { readAll } from "./read_all.ts";
import { useServices, WORKSPACES_KEY } from "./services.ts";
import { useSession } from "./session.ts";
import type { Workspace } from "./types.ts";

/** The workspaces of the signed-in user. The first request of a new user creates one. */
export function useWorkspaces() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({
    queryKey: WORKSPACES_KEY,
    queryFn: ({ signal }) =>
      readAll((query) => makeApi().call("GET /workspaces", { query, signal })),
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}

const LAST_KEY = "signalpost-workspace";

/** Keeps the workspace that the user opened last, for the next visit. */
export function rememberWorkspace(id: string): void {
  localStorage.setItem(LAST_KEY, id);
}

/** Returns the workspace opened last, or the first one. */
export function pickWorkspace(workspaces: Workspace[]): Workspace | undefined {
  const last = localStorage.getItem(LAST_KEY);
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}
