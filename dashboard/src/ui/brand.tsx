import { Group, Text } from "@mantine/core";

export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/icon.svg" width={26} height={26} alt="" />
      <Text fw={700} size="md" lts="-0.01em">Signalpost</Text>
    </Group>
  );
}
