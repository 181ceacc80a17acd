import { useApiItem } from "../../api/use_api.ts";

const mostRead = 200;
const refreshMs = 15_000;

/** The destinations with their health, and their number by state. */
export function useDestinationHealth() {
  return useApiItem("GET /destinations", { query: { limit: mostRead } }, {
    refetchInterval: refreshMs,
  });
}
