import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ErrorState } from "./error_state.tsx";
import { Modal } from "./overlays.tsx";

interface ConfirmModalProps {
  isOpen: boolean;
  close: () => void;
  title: string;
  /** Says what happens, and whether it can be undone. */
  children: ReactNode;
  confirmLabel: string;
  /** @default "Cancel" */
  cancelLabel?: string;
  /** False for a button that loses nothing. @default true */
  isDangerous?: boolean;
  /** Text that the user must type to enable the button. */
  typed?: { label: string; value: string };
  action: { isPending: boolean; error: Error | null };
  onConfirm: () => void;
}

/** Asks for confirmation before something is lost, or cannot be taken back. */
export function ConfirmModal(props: ConfirmModalProps) {
  const { isOpen, close, title, typed, action, cancelLabel = "Cancel", isDangerous = true } = props;
  const [text, setText] = useState("");
  const isReady = !typed || text.trim() === typed.value;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      onExitTransitionEnd={() => setText("")}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Otherwise the form around this dialog, if there is one, would be submitted too.
          event.stopPropagation();
          if (isReady) props.onConfirm();
        }}
      >
        <Stack>
          <div>{props.children}</div>
          {typed && (
            <TextInput
              label={typed.label}
              placeholder={typed.value}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {action.error && <ErrorState error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{cancelLabel}</Button>
            <Button
              type="submit"
              {...isDangerous && { color: "red" }}
              disabled={!isReady}
              loading={action.isPending}
            >
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
