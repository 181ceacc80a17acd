import { Alert, Group, Paper, Stack, Text } from "@mantine/core";
import { DefinitionChanges } from "../versions/definition_changes.tsx";
import { NoticeButton } from "./notice_button.tsx";
import { useEditor } from "./use_editor.ts";

/** Says that the draft on the page has just become the one that somebody else saved. */
export function FollowedDraft() {
  const { definition, nameOf, followed } = useEditor();
  return (
    // It is there before its text is, so that a screen reader announces the text.
    <div role="status">
      {followed && (
        <Alert color="blue" mb="sm" p="xs" role="presentation">
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <Stack gap={4} miw={0} flex={1}>
              <Text size="sm">
                <b>Updated:</b> somebody else has just changed this draft.
              </Text>
              <details>
                <summary>What has changed</summary>
                <Paper p="sm" mt="xs">
                  <DefinitionChanges before={followed.before} after={definition} nameOf={nameOf} />
                </Paper>
              </details>
            </Stack>
            <NoticeButton onClick={followed.dismiss}>Dismiss</NoticeButton>
          </Group>
        </Alert>
      )}
    </div>
  );
}
