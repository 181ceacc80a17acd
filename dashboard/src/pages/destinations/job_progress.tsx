import { Alert, Progress, Stack, Text } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import type { StartedJob } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { countOf, formatCount } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";

const pollMs = 1_000;

interface JobProgressProps {
  job: StartedJob;
  /** True for a job that discards messages instead of sending them. */
  isDiscard?: boolean;
}

/** Progress of a resend, a recovery or a discard. */
export function JobProgress({ job: { job_id, matched }, isDiscard = false }: JobProgressProps) {
  const job = useApiItem("GET /jobs/{id}", { params: { id: job_id } }, {
    refetchInterval: (data) => data?.finished_at ? false : pollMs,
  });
  if (job.error) return <ErrorState error={job.error} retry={job.refetch} />;
  const verb = isDiscard ? "discarded" : "queued";
  const { done = 0, total = matched, finished_at = null } = job.data ?? {};
  if (finished_at && done === 0) {
    return <Alert color="gray">Nothing to {isDiscard ? "discard" : "send"}.</Alert>;
  }
  if (finished_at && isDiscard) {
    return <Alert color="gray" title={`${countOf(done, "message")} discarded`} />;
  }
  if (finished_at) {
    return (
      <Alert color="green" icon={<CheckIcon />} title={`${countOf(done, "message")} queued`}>
        They are being delivered now. See Recent deliveries for the outcome.
      </Alert>
    );
  }
  return (
    <Stack gap={6} aria-live="polite">
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        animated
        aria-label="Progress"
      />
      <Text size="sm" c="dimmed" className="tabular">
        {done < total
          ? `${formatCount(done)} of ${countOf(total, "message")} ${verb}`
          : `${countOf(done, "message")} ${verb} so far`}
      </Text>
    </Stack>
  );
}
