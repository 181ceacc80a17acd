import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { INVITATIONS_KEY, WORKSPACES_KEY } from "../../api/query_keys.ts";
import { useSession } from "../../auth/session.ts";
import { useServices } from "../../services.ts";

/** The open invitations to the signed-in user. */
export function useInvitations() {
  const { makeApi, session } = useServices();
  const isSignedIn = useSession(session) !== null;
  return useQuery({
    queryKey: INVITATIONS_KEY,
    queryFn: async ({ signal }) => {
      const list = await makeApi().call("GET /invitations", { query: { limit: 200 }, signal });
      return list.data;
    },
    staleTime: 60_000,
    enabled: isSignedIn,
  });
}

/** Joins the workspace of an invitation, and goes there. */
export function useAccept(id: string) {
  const { makeApi } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => makeApi().call("POST /invitations/{id}/accept", { params: { id } }),
    onSuccess: async (workspace) => {
      await queries.invalidateQueries({ queryKey: WORKSPACES_KEY });
      await navigate({ to: "/w/$workspaceId", params: { workspaceId: workspace.id } });
    },
    // Also what went wrong: it may have been withdrawn meanwhile.
    onSettled: () => queries.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  });
}

/** Declines an invitation. */
export function useDecline(id: string) {
  const { makeApi } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => makeApi().call("POST /invitations/{id}/decline", { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  });
}
