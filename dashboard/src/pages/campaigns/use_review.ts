import { useQuery } from "@tanstack/react-query";
import type { Campaign } from "../../api/types.ts";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";

const keptMs = 30_000;

/** Counts who would get a campaign now, again when the campaign changes. */
export function useReview({ id, updated_at }: Campaign) {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [workspaceId, "campaign review", id, updated_at],
    queryFn: () => api.call("POST /campaigns/{id}/review", { params: { id } }),
    staleTime: keptMs,
  });
}
