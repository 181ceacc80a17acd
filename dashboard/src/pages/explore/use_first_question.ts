import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { CataloguedEvent } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useFilters } from "../../url/use_filters.ts";

/**
 * Puts the workspace's most frequent event of the last days into an address without a question.
 * Returns whether the address still waits for it.
 */
export function useFirstQuestion(): boolean {
  const { filters, setFilters } = useFilters();
  const isEmpty = filters.events === undefined;
  const { data, isPending } = useApiItem("GET /catalogue", {
    query: { service: false, sort: "volume", limit: 1 },
  }, { enabled: isEmpty });
  const event = data && findFrequent(data.data);
  const router = useRouter();
  useEffect(() => {
    // A link that was clicked meanwhile leads to another page, whose address stays as it is.
    const isLeft = !router.latestLocation.pathname.endsWith("/explore");
    if (!isEmpty || event === undefined || isLeft) return;
    setFilters({ events: JSON.stringify([{ event }]) });
  }, [isEmpty, event]);
  return isEmpty && (isPending || event !== undefined);
}

/** The first event, if it arrived in the last days. */
function findFrequent([first]: CataloguedEvent[]): string | undefined {
  return first?.events_by_day.some((events) => events > 0) ? first.name : undefined;
}
