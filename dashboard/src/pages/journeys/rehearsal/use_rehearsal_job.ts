import { useEffect } from "react";
import { isMissing } from "../../../api/api_client.ts";
import type { Journey } from "../../../api/types.ts";
import { useApiItem } from "../../../api/use_api.ts";
import { useFilters } from "../../../url/use_filters.ts";

const pollMs = 1_000;

/**
 * The rehearsal that a journey shows: the one in the page's address, or else the last one that anyone
 * has started.
 */
export function useRehearsalJob({ id: journeyId, rehearsal_job_id }: Journey) {
  const { filters, setFilters } = useFilters();
  const jobId = filters.job ?? rehearsal_job_id ?? undefined;
  const job = useApiItem("GET /jobs/{id}", { params: { id: jobId ?? "" } }, {
    enabled: jobId !== undefined,
    refetchInterval: (data) => data && ["done", "failed"].includes(data.state) ? false : pollMs,
  });
  const data = jobId === undefined ? undefined : job.data;
  const isForeign = data?.id === jobId && data?.journey_id !== journeyId;
  const isGone = filters.job !== undefined && (isMissing(job.error) || isForeign);
  useEffect(() => {
    if (isGone) setFilters({ job: undefined });
  }, [isGone]);
  return {
    jobId,
    data: isGone ? undefined : data,
    error: isGone ? null : job.error,
    refetch: job.refetch,
    show: (id: string) => setFilters({ job: id }),
    showLast: () => setFilters({ job: undefined }),
  };
}
