import { Alert, Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CheckIcon } from "@primer/octicons-react";
import type { StartedJob } from "../../api/types.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { useApiItem } from "../../api/use_api.ts";
import { countOf, formatCount } from "../../format/numbers.ts";

interface JobModalProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  submitLabel: string;
  isReady: boolean;
  action: {
    data: StartedJob | undefined;
    error: Error | null;
    isPending: boolean;
    reset: () => void;
  };
  onSubmit: () => void;
  children: ReactNode;
}

/** Starts something long and shows how far it is. */
export function JobModal(props: JobModalProps) {
  const { action, close } = props;
  const reset = () => action.reset();
  return (
    <Modal opened={props.isOpen} onClose={close} onExitTransitionEnd={reset} title={props.title}>
      {action.data
        ? (
          <Stack>
            <JobProgress jobId={action.data.job_id} matched={action.data.matched} />
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        )
        : (
          <Stack>
            {props.children}
            {action.error && <ErrorState error={action.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>Cancel</Button>
              <Button onClick={props.onSubmit} disabled={!props.isReady} loading={action.isPending}>
                {props.submitLabel}
              </Button>
            </Group>
          </Stack>
        )}
    </Modal>
  );
}

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
