import { ActionIcon, Code, Group, Stack, Text } from "@mantine/core";
import { QuestionIcon } from "@primer/octicons-react";
import { keyTexts } from "../editor/use_editor_keys.ts";
import { Popover } from "../../../ui/overlays.tsx";

/** Lists the keys of the canvas. */
export function CanvasHelp() {
  return (
    <div className="canvas-help">
      <Popover position="top-end" withArrow>
        <Popover.Target>
          <ActionIcon variant="default" aria-label="Keys of the canvas">
            <QuestionIcon />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap={6}>
            {keyTexts.map(([keys, text]) => (
              <Group key={keys} gap="sm" justify="space-between" wrap="nowrap">
                <Text size="xs">{text}</Text>
                <Code>{keys}</Code>
              </Group>
            ))}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
