import { useQuery } from "@tanstack/react-query";
import type { Workspace } from "../api/types.ts";
import { WORKSPACES_KEY } from "../api/query_keys.ts";
import { useSession } from "../auth/session.ts";
import { useServices } from "../services.ts";

/** The workspaces of the signed-in user; a new user's first one is made by asking. */
export function useWorkspaces() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({
    queryKey: WORKSPACES_KEY,
    queryFn: async ({ signal }) => {
      const list = await makeApi().call("GET /workspaces", { query: { limit: 200 }, signal });
      return list.data;
    },
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}

const LAST_KEY = "signalpost-workspace";

export function rememberWorkspace(id: string): void {
  localStorage.setItem(LAST_KEY, id);
}

/** The one looked at last, or the first. */
export function pickWorkspace(workspaces: Workspace[]): Workspace | undefined {
  const last = localStorage.getItem(LAST_KEY);
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}
