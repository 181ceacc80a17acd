import { useQuery } from "@tanstack/react-query";
import type { Workspace } from "../api/types.ts";
import { useServices } from "../services.ts";

export const WORKSPACES_KEY = ["workspaces"];

/** The workspaces of the signed-in user; a new user's first one is made by asking. */
export function useWorkspaces() {
  const { makeApi } = useServices();
  return useQuery({
    queryKey: WORKSPACES_KEY,
    queryFn: async ({ signal }) => {
      const list = await makeApi().call("GET /workspaces", { query: { limit: 200 }, signal });
      return list.data;
    },
    staleTime: 60_000,
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
