import { Button, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import type { Draft } from "../api/use_draft.ts";

interface CloseGuard {
  /** Closes, or asks first if something would be lost. */
  requestClose: () => void;
  /** The question to show; null while nothing is asked. */
  question: ReactNode;
}

/** Asks before a dialog closes in which something was typed. */
export function useCloseGuard(draft: Draft | undefined, close: () => void): CloseGuard {
  const [isAsking, setAsking] = useState(false);
  const focused = useRef<Element>(null);
  const keep = () => {
    setAsking(false);
    if (focused.current instanceof HTMLElement) focused.current.focus();
  };
  const requestClose = () => {
    // Esc leads back from the question.
    if (isAsking) return keep();
    if (!draft?.isDirty()) return close();
    focused.current = document.activeElement;
    setAsking(true);
  };
  const discard = () => {
    setAsking(false);
    draft?.discard();
    close();
  };
  const question = isAsking ? <DiscardQuestion keep={keep} discard={discard} /> : null;
  return { requestClose, question };
}

function DiscardQuestion({ keep, discard }: { keep: () => void; discard: () => void }) {
  return (
    <Paper p="sm" role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={550}>Discard your changes?</Text>
        <Group gap="sm">
          <Button variant="default" onClick={keep} autoFocus>Keep editing</Button>
          <Button color="red" onClick={discard}>Discard</Button>
        </Group>
      </Group>
    </Paper>
  );
}
