import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

export type Field = [label: string, value: ReactNode];

/** Names and values. An empty value shows as a dash. */
export function FieldList({ fields }: { fields: Field[] }) {
  return (
    <dl className="field-list">
      {fields.map(([label, value]) => (
        <Box key={label} className="field">
          <Text component="dt" size="xs" c="dimmed" fw={500}>{label}</Text>
          <Text component="dd" size="sm" m={0} className="break-anywhere">{value ?? "–"}</Text>
        </Box>
      ))}
    </dl>
  );
}
