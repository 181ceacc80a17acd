import { listRows, useApiList } from "../../api/use_api.ts";

/** The workspace's destinations, and what the one with an id is called. */
export function useDestinationNames() {
  const destinations = listRows(useApiList("GET /destinations", { query: { limit: 200 } }));
  const names = new Map(destinations.map(({ id, name }) => [id, name]));
  return { destinations, nameOf: (id: string) => names.get(id) ?? "deleted destination" };
}
