import { isServiceEvent } from "../../api/service_events.ts";
import { useApiItem } from "../../api/use_api.ts";

const pollMs = 1_500;
/** Events to look through for one that the workspace has sent. */
const readCount = 20;

/** Waits for the first event. The latest one leaves out those that the service stores itself. */
export function useLatestEvent() {
  const events = useApiItem("GET /events", { query: { limit: readCount } }, {
    refetchInterval: (list) => list?.data.length ? false : pollMs,
  });
  const list = events.data?.data;
  return {
    isThere: list && list.length > 0,
    latest: list?.find(({ name }) => !isServiceEvent(name)),
    error: list ? null : events.error,
    refetch: events.refetch,
  };
}
