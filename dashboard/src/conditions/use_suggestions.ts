import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import { collectPaths, type SeenPath } from "./collect_paths.ts";

const sampleSize = 50;
const keptMs = 300_000;

/** Paths inside the attributes of some customers, with what was seen there. */
export function useAttributePaths(): readonly SeenPath[] {
  const api = useApi();
  const { id } = useWorkspace();
  const { data = [] } = useQuery({
    queryKey: [id, "attribute paths"],
    queryFn: async ({ signal }) => {
      const page = await api.call("GET /customers", { query: { limit: sampleSize }, signal });
      return collectPaths(page.data.map(({ attributes }) => attributes));
    },
    staleTime: keptMs,
  });
  return data;
}

/** Paths inside the properties of some events of a name. */
export function usePropertyPaths(name: string): readonly SeenPath[] {
  const api = useApi();
  const { id } = useWorkspace();
  const { data = [] } = useQuery({
    queryKey: [id, "property paths", name],
    queryFn: async ({ signal }) => {
      const query = { limit: sampleSize, ...name ? { name } : {} };
      const page = await api.call("GET /events", { query, signal });
      return collectPaths(page.data.map(({ properties }) => properties));
    },
    staleTime: keptMs,
  });
  return data;
}
