import { Group, Text } from "@mantine/core";
import { CopyIcon } from "./copy_icon.tsx";

/** An id that can be read and copied. */
export function IdText({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={2} wrap="nowrap" className="whole-row" style={{ minWidth: 0 }}>
      <Text ff="monospace" size="xs" className="break-anywhere">{value}</Text>
      <CopyIcon value={value} label={label} />
    </Group>
  );
}
