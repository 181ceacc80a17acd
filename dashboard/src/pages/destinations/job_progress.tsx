import { Alert, Progress, Stack, Text } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { ErrorState } from "../../components/error_state.tsx";
import { countOf, formatCount } from "../../numbers.ts";

const POLL_MS = 1_000;

interface JobProgressProps {
  jobId: string;
  matched: number;
}

/** How far a replay or a recovery has come. */
export function JobProgress({ jobId, matched }: JobProgressProps) {
  const job = useApiItem("GET /jobs/{id}", { params: { id: jobId } }, {
    refetchInterval: (data) => data?.finished_at ? false : POLL_MS,
  });
  if (job.error) return <ErrorState error={job.error} retry={job.refetch} />;
  const { done = 0, total = matched, finished_at = null } = job.data ?? {};
  if (finished_at && done === 0) {
    return <Alert color="gray">There was nothing to send again.</Alert>;
  }
  if (finished_at) {
    return (
      <Alert color="green" icon={<CheckIcon />} title={`${countOf(done, "message")} queued`}>
        They are being delivered now; the deliveries below show how it goes.
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
          ? `${formatCount(done)} of ${countOf(total, "message")} queued`
          : `${countOf(done, "message")} queued so far`}
      </Text>
    </Stack>
  );
}
