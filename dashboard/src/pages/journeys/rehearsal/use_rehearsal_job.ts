import { useEffect, useState } from "react";
import { isMissing } from "../../../api/api_client.ts";
import { useApiItem } from "../../../api/use_api.ts";
import { useFilters } from "../../../url/use_filters.ts";

const pollMs = 1_000;

/**
 * The rehearsal that a journey shows: the one in the page's address, so that a colleague finds it,
 * or the last one that this browser has shown.
 */
export function useRehearsalJob(journeyId: string) {
  const { filters, setFilters } = useFilters();
  const key = `signalpost-rehearsal:${journeyId}`;
  const [last, setLast] = useState(() => localStorage.getItem(key));
  const jobId = filters.job ?? last ?? undefined;
  const job = useApiItem("GET /jobs/{id}", { params: { id: jobId ?? "" } }, {
    enabled: jobId !== undefined,
    refetchInterval: (data) => data && ["done", "failed"].includes(data.state) ? false : pollMs,
  });
  const data = jobId === undefined ? undefined : job.data;
  const show = (id: string) => {
    localStorage.setItem(key, id);
    setLast(id);
    setFilters({ job: id });
  };
  const isFound = data?.id === jobId && data?.journey_id === journeyId;
  const isGone = last === jobId && isMissing(job.error);
  useEffect(() => {
    if (isFound && jobId !== undefined && (last !== jobId || filters.job !== jobId)) show(jobId);
    if (isGone) {
      localStorage.removeItem(key);
      setLast(null);
      setFilters({ job: undefined });
    }
  }, [jobId, isFound, isGone]);
  return { jobId, data, error: isGone ? null : job.error, refetch: job.refetch, show };
}
