import { Alert, Button, Group } from "@mantine/core";
import type { Draft } from "../api/use_draft.ts";

/** Says that a form shows what was typed before a reload or a sign-in. */
export function DraftNotice({ draft }: { draft: Pick<Draft, "isRestored" | "discard"> }) {
  if (!draft.isRestored) return null;
  return (
    <Alert color="yellow" mb="sm" p="xs" role="status">
      <Group justify="space-between">
        <span>Your unsaved changes are back.</span>
        <Button size="compact-sm" variant="light" color="yellow" onClick={draft.discard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  );
}
