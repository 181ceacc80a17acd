import { Anchor, Center, Stack, Text } from "@mantine/core";

interface LoadingCanvasProps {
  /** Goes to a table with the same figures, which follows the canvas. */
  showTable?: () => void;
}

/** Keeps the place of a canvas while its library loads. */
export function LoadingCanvas({ showTable }: LoadingCanvasProps) {
  return (
    <Center className="canvas-place loading-canvas" data-compact={showTable && true}>
      <Stack gap={4} align="center">
        <Text size="sm" c="dimmed" role="status">The drawing is loading…</Text>
        {showTable && (
          <Anchor component="button" type="button" size="sm" onClick={showTable}>
            Go to the table of steps
          </Anchor>
        )}
      </Stack>
    </Center>
  );
}
