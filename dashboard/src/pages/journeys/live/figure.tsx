import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface FigureProps {
  label: string;
  value: string;
  note?: ReactNode;
}

/** A number of the journey with its name. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <Paper p="md">
      <Text size="sm" c="dimmed" fw={500}>{label}</Text>
      <Text fz={22} fw={650} className="tabular">{value}</Text>
      {note && <Text size="xs" c="dimmed" component="div">{note}</Text>}
    </Paper>
  );
}
