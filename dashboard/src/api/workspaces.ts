import { useQuery } from "@tanstack/react-query";
import { readAll } from "./read_all.ts";
import { useServices, workspacesKey } from "./services.ts";
import { useSession } from "./session.ts";
import type { Workspace } from "./types.ts";

/** The workspaces of the signed-in user. The first request of a new user creates one. */
export function useWorkspaces() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({
    queryKey: workspacesKey,
    queryFn: ({ signal }) =>
      readAll((query) => makeApi().call("GET /workspaces", { query, signal })),
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}

const lastKey = "signalpost-workspace";

/** Keeps the workspace that the user opened last, for the next visit. */
export function rememberWorkspace(id: string): void {
  localStorage.setItem(lastKey, id);
}

/** Returns the workspace opened last, or the first one. */
export function pickWorkspace(workspaces: Workspace[]): Workspace | undefined {
  const last = localStorage.getItem(lastKey);
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}
