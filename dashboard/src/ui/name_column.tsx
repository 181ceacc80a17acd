import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "./list_table.tsx";

interface Named {
  id: string;
  name: string;
  key: string | null;
  /** Text in the place of the key. */
  note?: string | null;
}

/** Shows the name of a row, and its note or key below, if it has one. */
export function showName({ name, key, note }: Named): ReactNode {
  return (
    <div style={{ minWidth: "8rem" }}>
      <Text size="sm" fw={550} lineClamp={1} className="break-anywhere" dir="auto">{name}</Text>
      {note
        ? (
          <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere" dir="auto">
            {note}
          </Text>
        )
        : key && <Text size="xs" c="dimmed" ff="monospace">{key}</Text>}
    </div>
  );
}

/** The column with the name of each row. */
export function nameColumn<Row extends Named>(label: string): Column<Row> {
  return { label, sort: "name", cell: showName };
}
