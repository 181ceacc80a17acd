import { Badge, Group, Text } from "@mantine/core";
import { Tooltip } from "./overlays.tsx";

const shownCount = 2;

/** The first names of a list, and the rest in a tooltip. */
export function Tags({ values }: { values: string[] }) {
  const rest = values.slice(shownCount);
  return (
    <Group gap={4}>
      {values.slice(0, shownCount).map((value) => (
        <Badge key={value} color="gray" ff="monospace" fw={500} maw={200} miw={0}>{value}</Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(", ")} maw={320}>
          <Text size="xs" c="dimmed" tabIndex={0} data-hint>+{rest.length} more</Text>
        </Tooltip>
      )}
    </Group>
  );
}
