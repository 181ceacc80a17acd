import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";
import { ErrorState } from "./error_state.tsx";

interface FormModalProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  submitLabel: string;
  onSubmit: (event?: SubmitEvent<HTMLFormElement>) => void;
  action: { isPending: boolean; error: Error | null };
  children: ReactNode;
  size?: string;
}

/** Fields, what the service says about them, and the button that sends them. */
export function FormModal(props: FormModalProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.close} title={props.title} size={props.size}>
      <form onSubmit={props.onSubmit} noValidate>
        <Stack>
          {props.children}
          {props.action.error && <ErrorState error={props.action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.close}>Cancel</Button>
            <Button type="submit" loading={props.action.isPending}>{props.submitLabel}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
