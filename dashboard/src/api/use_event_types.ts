import { useQuery } from "@tanstack/react-query";
import { readAll } from "./read_all.ts";
import { useApi } from "./use_api.ts";
import { useWorkspace } from "./workspace.ts";

interface EventTypes {
  /** Names of the events seen in the workspace. */
  seen: string[];
  /** Types that the service itself sends. */
  service: string[];
  /** False until the names are there. */
  isRead: boolean;
}

/** Names of the events seen in the workspace, and the types that the service itself sends. */
export function useEventTypes(): EventTypes {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery({
    queryKey: [workspaceId, "event types"],
    queryFn: async ({ signal }) => {
      let service: string[] = [];
      const seen = await readAll(async (query) => {
        const page = await api.call("GET /event-types", { query, signal });
        service = page.service.map(({ type }) => type);
        return page;
      });
      return { seen: seen.map(({ name }) => name), service };
    },
    staleTime: 60_000,
  });
  return { ...data ?? { seen: [], service: [] }, isRead: data !== undefined };
}
