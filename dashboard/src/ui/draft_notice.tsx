import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { type MouseEvent, useEffect, useRef } from "react";
import type { Draft } from "../api/use_draft.ts";
import type { FieldConflict } from "../api/merge_changes.ts";
import type { FormConflict } from "../api/use_form_draft.ts";
import { nameField } from "../api/name_field.ts";
import { ConflictValue, type ShownValues } from "./conflict_value.tsx";

interface DraftNoticeProps {
  draft: Pick<Draft, "isRestored" | "discard"> & { conflict?: FormConflict | undefined };
  /** Shows the values of fields that are neither texts, numbers nor references. */
  shows?: ShownValues | undefined;
}

/**
 * Says that a form shows what was typed before a reload or a sign-in, or asks whose changes to keep
 * when others have saved the same fields.
 */
export function DraftNotice({ draft, shows }: DraftNoticeProps) {
  const { conflict, discard } = draft;
  if (conflict) return <ConflictQuestion {...{ conflict, discard, shows }} />;
  if (!draft.isRestored) return null;
  return (
    <Alert color="yellow" mb="sm" p="xs" role="status">
      <Group justify="space-between">
        <span>We restored your unsaved changes.</span>
        <Button size="compact-sm" variant="light" color="yellow" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </Alert>
  );
}

interface ConflictQuestionProps {
  conflict: FormConflict;
  discard: () => void;
  shows: ShownValues | undefined;
}

function ConflictQuestion({ conflict, discard, shows }: ConflictQuestionProps) {
  const { fields, isInTheWay, keepMine } = conflict;
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isInTheWay) return;
    question.current?.focus({ preventScroll: true });
    question.current?.scrollIntoView({ block: "center" });
  }, [isInTheWay]);
  const answer = (choose: () => void) => (event: MouseEvent<HTMLElement>) => {
    focusField(event.currentTarget, fields.map(({ field }) => field));
    choose();
  };
  return (
    <Alert
      ref={question}
      tabIndex={-1}
      color="yellow"
      mb="sm"
      title="Somebody else has changed this too"
    >
      <Stack gap="xs">
        <Text size="sm">Your changes are not saved yet. Both of you changed:</Text>
        <List size="sm">
          {fields.map((change) => (
            <List.Item key={change.field} className="break-anywhere">
              <Change {...change} show={shows?.[change.field]} />
            </List.Item>
          ))}
        </List>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={answer(keepMine)}>
            Keep my changes
          </Button>
          <Button size="compact-sm" variant="default" onClick={answer(discard)}>
            Discard my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** A field, with its new value if that is short. */
function Change({ field, theirs, show }: FieldConflict & { show?: ShownValues[string] }) {
  return (
    <>
      {nameField(field)}
      <ConflictValue value={theirs} show={show} />
    </>
  );
}

/** Moves the focus to a field that both changed, because the pressed button disappears. */
function focusField(button: HTMLElement, fields: readonly string[]): void {
  const place = button.closest("form, [role=dialog], main");
  const both = fields.map((field) => `[data-path="${field}"]`).join(", ");
  const any = "input:not([type=hidden]), textarea, [contenteditable=true]";
  const found = place?.querySelector<HTMLElement>(both) ?? place?.querySelector<HTMLElement>(any);
  found?.focus();
}
