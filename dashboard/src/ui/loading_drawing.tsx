import { Center, Text } from "@mantine/core";

/** Keeps the place of a drawing until its library is there: its figures are elsewhere on the page. */
export function LoadingDrawing({ height, figures }: { height: number; figures: string }) {
  return (
    <Center h={height}>
      <Text size="sm" c="dimmed" role="status">The drawing is loading. {figures}</Text>
    </Center>
  );
}
