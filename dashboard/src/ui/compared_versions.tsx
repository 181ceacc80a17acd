import { type ComboboxItem, Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Select } from "./overlays.tsx";

/** Two versions to compare, each as the value of an option. */
export interface Comparison {
  from: string;
  to: string;
}

interface ComparedVersionsProps extends Comparison {
  options: ComboboxItem[];
  choose: (comparison: Comparison) => void;
  /** The difference between the two. */
  children: ReactNode;
}

/** A panel that chooses two versions and shows the difference between them. */
export function ComparedVersions({ from, to, options, choose, children }: ComparedVersionsProps) {
  return (
    <Paper p="md">
      <Group mb="md" gap="sm">
        <Title order={2} size="h5">Compare</Title>
        <Group wrap="nowrap" gap="xs">
          <Select
            aria-label="From"
            data={options}
            value={from}
            onChange={(value) => choose({ from: value ?? from, to })}
            allowDeselect={false}
            w={140}
          />
          <Text size="sm">with</Text>
          <Select
            aria-label="To"
            data={options}
            value={to}
            onChange={(value) => choose({ from, to: value ?? to })}
            allowDeselect={false}
            w={140}
          />
        </Group>
      </Group>
      {children}
    </Paper>
  );
}
