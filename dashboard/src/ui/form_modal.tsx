import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";
import type { Draft } from "../api/use_draft.ts";
import { useCloseGuard } from "./close_guard.tsx";
import type { ShownValues } from "./conflict_value.tsx";
import { DraftNotice } from "./draft_notice.tsx";
import { ErrorState } from "./error_state.tsx";
import { Modal } from "./overlays.tsx";

/** Props of a dialog that its parent opens and closes. */
export interface DialogProps {
  isOpen: boolean;
  close: () => void;
}

interface FormModalProps extends DialogProps {
  title: string;
  submitLabel: string;
  onSubmit: (event?: SubmitEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** Error to show below the fields. */
  error: Error | null;
  /** Draft of the form. Closing asks before it is lost. */
  draft?: Draft;
  /** Shows values that others changed meanwhile: see `DraftNotice`. */
  shows?: ShownValues;
  children: ReactNode;
  size?: string;
  /** Stands apart from the other buttons, for what cannot be undone. */
  aside?: ReactNode;
  /** Disables the button that submits. */
  isIncomplete?: boolean;
  /** Replaces the form after success. */
  result?: ReactNode;
  /** Says why there is nothing to submit, and replaces the form. */
  obstacle?: ReactNode;
  /** Called when the closed dialog is out of sight. */
  onClosed?: () => void;
}

/** A form in a dialog, and its result. */
export function FormModal(props: FormModalProps) {
  const guard = useCloseGuard(props.draft, props.close);
  return (
    <Modal
      opened={props.isOpen}
      onClose={guard.requestClose}
      onExitTransitionEnd={props.onClosed}
      title={props.title}
      size={props.size}
    >
      <Content {...props} guard={guard} />
    </Modal>
  );
}

interface FormProps extends FormModalProps {
  guard: ReturnType<typeof useCloseGuard>;
}

function Content({ result, obstacle, ...form }: FormProps) {
  if (result) return <Message close={form.close} closeLabel="Done">{result}</Message>;
  if (obstacle) return <Message close={form.close} closeLabel="Close">{obstacle}</Message>;
  return <Form {...form} />;
}

function Form({ onSubmit, children, error, draft, guard, ...props }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
    >
      <Stack>
        {draft && <DraftNotice draft={draft} shows={props.shows} />}
        {children}
        {error && <ErrorState error={error} />}
        <div className="form-buttons">
          {guard.question ?? (
            <Group justify="flex-end">
              {props.aside && <div style={{ marginInlineEnd: "auto" }}>{props.aside}</div>}
              <Button variant="default" onClick={guard.requestClose}>Cancel</Button>
              <Button type="submit" disabled={props.isIncomplete} loading={props.isPending}>
                {props.submitLabel}
              </Button>
            </Group>
          )}
        </div>
      </Stack>
    </form>
  );
}

interface MessageProps {
  children: ReactNode;
  close: () => void;
  closeLabel: string;
}

function Message({ children, close, closeLabel }: MessageProps) {
  return (
    <Stack>
      {children}
      <Group justify="flex-end">
        <Button onClick={close}>{closeLabel}</Button>
      </Group>
    </Stack>
  );
}
