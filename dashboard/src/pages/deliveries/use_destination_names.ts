import { useWholeList } from "../../api/use_api.ts";

/** The workspace's destinations, and a function that returns the name for an ID. */
export function useDestinationNames() {
  const destinations = useWholeList("GET /destinations", {});
  const names = new Map(destinations.map(({ id, name }) => [id, name]));
  return { destinations, nameOf: (id: string) => names.get(id) ?? "Deleted destination" };
}
