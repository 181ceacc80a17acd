import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import type { MouseEvent } from "react";
import type { Draft } from "../api/use_draft.ts";
import type { FieldConflict, FormConflict } from "../api/use_form_draft.ts";
import { nameField } from "../api/name_field.ts";

/** Longest text of a value that the question shows, in characters. */
const maxValueLength = 80;

type NoticedDraft = Pick<Draft, "isRestored" | "discard"> & { conflict?: FormConflict | undefined };

/**
 * Says that a form shows what was typed before a reload or a sign-in, or asks whose changes to keep
 * when others have saved the same fields.
 */
export function DraftNotice({ draft }: { draft: NoticedDraft }) {
  const { conflict, discard } = draft;
  if (conflict) return <ConflictQuestion conflict={conflict} discard={discard} />;
  if (!draft.isRestored) return null;
  return (
    <Alert color="yellow" mb="sm" p="xs" role="status">
      <Group justify="space-between">
        <span>Your unsaved changes are back.</span>
        <Button size="compact-sm" variant="light" color="yellow" onClick={discard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  );
}

interface ConflictQuestionProps {
  conflict: FormConflict;
  discard: () => void;
}

function ConflictQuestion({ conflict: { fields, keepMine }, discard }: ConflictQuestionProps) {
  const answer = (choose: () => void) => (event: MouseEvent<HTMLElement>) => {
    focusForm(event.currentTarget);
    choose();
  };
  return (
    <Alert color="yellow" mb="sm" title="Somebody else has changed this too">
      <Stack gap="xs">
        <Text size="sm">Your changes are not saved yet. Meanwhile, these fields were changed:</Text>
        <List size="sm">
          {fields.map((change) => (
            <List.Item key={change.field}>{describeConflict(change)}</List.Item>
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

/** Names a field, with its new value if that is short. */
function describeConflict({ field, theirs }: FieldConflict): string {
  const name = nameField(field);
  if (theirs === "" || theirs === null) return `${name}: now empty`;
  const isText = typeof theirs === "string" || typeof theirs === "number";
  if (!isText || String(theirs).length > maxValueLength) return name;
  return `${name}: now “${theirs}”`;
}

/** Moves the focus to the first field of the form, because the pressed button disappears. */
function focusForm(button: HTMLElement): void {
  const fields = "input:not([type=hidden]), textarea, [contenteditable=true]";
  button.closest("form, [role=dialog], main")?.querySelector<HTMLElement>(fields)?.focus();
}
