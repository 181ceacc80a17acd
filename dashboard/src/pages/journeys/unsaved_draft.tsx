import { Alert, Button, Group } from "@mantine/core";
import type { SaveState } from "./editor/save_state.ts";

const texts: Readonly<Partial<Record<SaveState, string>>> = {
  invalid: "Your last changes are kept in this tab only. Open the draft and fix its problems.",
  failed: "Your last changes could not be saved. Open the draft and try again.",
  conflict: "Your draft and another one differ. Choose one on the Draft tab.",
};

interface UnsavedDraftProps {
  saveState: SaveState;
  openDraft: () => void;
}

/** Says why the saved draft is not what was typed last, and leads to it. */
export function UnsavedDraft({ saveState, openDraft }: UnsavedDraftProps) {
  const text = texts[saveState];
  return text && (
    <Alert color="yellow" title="The draft is not saved" mb="md">
      <Group gap="xs" justify="space-between">
        <span>{text}</span>
        <Button size="compact-sm" variant="default" onClick={openDraft}>Open the draft</Button>
      </Group>
    </Alert>
  );
}
