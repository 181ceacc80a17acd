import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import { collectPaths, type SeenPath } from "./collect_paths.ts";

const sampleSize = 50;
const keptMs = 300_000;

type Attributes = readonly Record<string, unknown>[];

/** Result of `select` for the attributes of some customers; undefined until they are there. */
function useSampledAttributes<Result>(select: (sample: Attributes) => Result): Result | undefined {
  const api = useApi();
  const { id } = useWorkspace();
  const { data } = useQuery({
    queryKey: [id, "sampled attributes"],
    queryFn: async ({ signal }): Promise<Attributes> => {
      const page = await api.call("GET /customers", { query: { limit: sampleSize }, signal });
      return page.data.map(({ attributes }) => attributes);
    },
    staleTime: keptMs,
    select,
  });
  return data;
}

const none: readonly SeenPath[] = [];

/** Paths inside the attributes of some customers, with what was seen there. */
export function useAttributePaths(): readonly SeenPath[] {
  return useSampledAttributes(collectPaths) ?? none;
}

/** Names of the attributes of some customers; undefined until they are there. */
export function useAttributeNames(): readonly string[] | undefined {
  return useSampledAttributes(listNames);
}

function listNames(sample: Attributes): string[] {
  return [...new Set(sample.flatMap(Object.keys))].sort();
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
