import { Alert, Group, Paper, Stack, Text } from "@mantine/core";
import { DefinitionChanges } from "../versions/definition_changes.tsx";
import { NoticeButton } from "./notice_button.tsx";
import { useEditor } from "./use_editor.ts";

/** Asks whose draft to keep after somebody else has changed it. */
export function DraftConflict() {
  const { definition, nameOf, saving: { conflict } } = useEditor();
  if (!conflict) return null;
  const { theirs, keepMine, takeTheirs } = conflict;
  return (
    <Alert color="yellow" mb="sm" title="Somebody else has changed this draft">
      <Stack gap="xs">
        <Text size="sm">
          Your last changes are kept in this tab and are not saved. If you use the other draft, Undo
          brings yours back.
        </Text>
        <details>
          <summary>What is different in the other draft</summary>
          <Paper p="sm" mt="xs">
            <DefinitionChanges before={definition} after={theirs} nameOf={nameOf} />
          </Paper>
        </details>
        <Group gap="xs">
          <NoticeButton onClick={keepMine}>Keep my draft</NoticeButton>
          <NoticeButton onClick={takeTheirs}>Use the other draft</NoticeButton>
        </Group>
      </Stack>
    </Alert>
  );
}
