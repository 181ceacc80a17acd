import { isServiceEvent } from "../../api/service_events.ts";
import { useApiItem } from "../../api/use_api.ts";

const pollMs = 1_500;
/** Events to look through for one that the workspace has sent. */
const readCount = 200;

/** Waits for the first event that the service has not stored itself, and returns the latest one. */
export function useLatestEvent() {
  const events = useApiItem("GET /events", { query: { limit: readCount } }, {
    refetchInterval: (list) => list?.data.some(isOwn) ? false : pollMs,
  });
  const list = events.data?.data;
  const latest = list?.find(isOwn);
  return {
    isThere: list && latest !== undefined,
    latest,
    error: list ? null : events.error,
    refetch: events.refetch,
  };
}

/** Returns whether the workspace has sent an event. */
function isOwn({ name }: { name: string | null }): boolean {
  return !isServiceEvent(name);
}
