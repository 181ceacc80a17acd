import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

export type Field = [label: string, value: ReactNode];

/** A longer value without spaces does not fit into a column. */
const longestWord = 20;

/** Names and values. An empty value shows as a dash. Long IDs have their own row. */
export function FieldList({ fields }: { fields: Field[] }) {
  return (
    <dl className="field-list">
      {fields.map(([label, value]) => (
        <Box key={label} className="field">
          <Text component="dt" size="xs" c="dimmed" fw={500} className="break-anywhere">
            {label}
          </Text>
          <Text
            component="dd"
            size="sm"
            m={0}
            className={isLong(value) ? "break-anywhere whole-row" : "break-anywhere"}
          >
            {value ?? "–"}
          </Text>
        </Box>
      ))}
    </dl>
  );
}

function isLong(value: ReactNode): boolean {
  return typeof value === "string" &&
    value.split(/\s/).some(({ length }) => length > longestWord);
}
