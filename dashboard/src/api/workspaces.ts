import { useQuery } from "@tanstack/react-query";
import { readAll } from "./read_all.ts";
import type { ApiClientMaker } from "./api_client.ts";
import { type Services, useServices, workspacesKey } from "./services.ts";
import { useSession } from "./session.ts";
import type { Workspace } from "./types.ts";

/** The query of the workspaces of the signed-in user. The first request of a new user creates one. */
function workspacesQuery(makeApi: ApiClientMaker) {
  return {
    queryKey: workspacesKey,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readAll((query) => makeApi().call("GET /workspaces", { query, signal })),
    staleTime: 60_000,
  };
}

/** Reads the workspaces of a signed-in user while the code of the page still loads. */
export function prefetchWorkspaces({ makeApi, queries, session }: Services): void {
  if (session.current() !== null) void queries.prefetchQuery(workspacesQuery(makeApi));
}

/** The workspaces of the signed-in user. */
export function useWorkspaces() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({ ...workspacesQuery(makeApi), enabled: isSignedIn });
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
