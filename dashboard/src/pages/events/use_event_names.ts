import { useApiItem } from "../../api/use_api.ts";

/** Names of events seen in the workspace, and with `withService` those that the service makes. */
export function useEventNames({ withService = false } = {}): string[] {
  const { data } = useApiItem("GET /event-types", { query: { limit: 200 } });
  const seen = data?.data.map(({ name }) => name) ?? [];
  const made = withService ? data?.service.map(({ type }) => type) ?? [] : [];
  return [...new Set([...seen, ...made])];
}
