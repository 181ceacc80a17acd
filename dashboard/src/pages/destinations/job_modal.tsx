import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { StartedJob } from "../../api/types.ts";
import { ErrorState } from "../../components/error_state.tsx";
import { JobProgress } from "./job_progress.tsx";

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
