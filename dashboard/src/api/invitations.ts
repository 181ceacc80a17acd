import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { readAll } from "./read_all.ts";
import { useServices, workspacesKey } from "./services.ts";
import { useSession } from "./session.ts";
import { useSingleMutation } from "./use_single_mutation.ts";

const invitationsKey = ["invitations"];

/** The open invitations to the signed-in user. */
export function useInvitations() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({
    queryKey: invitationsKey,
    queryFn: ({ signal }) =>
      readAll((query) => makeApi().call("GET /invitations", { query, signal })),
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}

/** Accepts an invitation and opens its workspace. */
export function useAccept(id: string) {
  const { makeApi } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useSingleMutation({
    mutationFn: () => makeApi().call("POST /invitations/{id}/accept", { params: { id } }),
    onSuccess: async (workspace) => {
      await queries.invalidateQueries({ queryKey: workspacesKey });
      await navigate({ to: "/w/$workspaceId", params: { workspaceId: workspace.id } });
    },
    // After an error as well: the invitation may have been withdrawn.
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsKey }),
  });
}

export function useDecline(id: string) {
  const { makeApi } = useServices();
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: () => makeApi().call("POST /invitations/{id}/decline", { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsKey }),
  });
}
