import { Box, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { KindIcon } from "./kind_icon.tsx";

interface PartTitleProps {
  kind: string;
  title: string;
  /** Describes the part, or gives its figures. */
  text: ReactNode;
}

/** The title of a part of a journey in a list, with its icon. */
export function PartTitle({ kind, title, text }: PartTitleProps) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <KindIcon kind={kind} />
      <Box style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} className="break-anywhere">{title}</Text>
        <Text size="sm" c="dimmed" className="break-anywhere tabular">{text}</Text>
      </Box>
    </Group>
  );
}
