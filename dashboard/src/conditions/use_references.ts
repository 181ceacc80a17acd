import { useQuery } from "@tanstack/react-query";
import { readAll } from "../api/read_all.ts";
import { useApi } from "../api/use_api.ts";
import { useWorkspace } from "../api/workspace.ts";
import type { NameOf, ReferenceKind } from "./describe.ts";

/** A resource that a condition can name. */
export interface Reference {
  id: string;
  key: string | null;
  name: string;
}

const routes = {
  segment: "GET /segments",
  topic: "GET /topics",
  journey: "GET /journeys",
} as const;

/** The workspace's resources of a kind; empty until they are read. */
export function useReferences(kind: ReferenceKind, isNeeded = true): readonly Reference[] {
  const api = useApi();
  const { id } = useWorkspace();
  const { data = [] } = useQuery({
    queryKey: [id, "references", kind],
    queryFn: async ({ signal }) => {
      const rows = await readAll<Reference>(async (query) =>
        await api.call(routes[kind], { query, signal })
      );
      return rows.map(({ id, key, name }) => ({ id, key, name }));
    },
    staleTime: 60_000,
    enabled: isNeeded,
  });
  return data;
}

/** Returns a function that names what a condition refers to. Reads only the kinds that occur. */
export function useNameOf(condition: unknown): NameOf {
  const text = JSON.stringify(condition) ?? "";
  const references = {
    segment: useReferences("segment", text.includes('"segment":')),
    topic: useReferences("topic", text.includes('"topic":')),
    journey: useReferences("journey", text.includes('"journey":')),
  };
  return (kind, idOrKey) =>
    references[kind].find(({ id, key }) => id === idOrKey || key === idOrKey)?.name ?? idOrKey;
}
