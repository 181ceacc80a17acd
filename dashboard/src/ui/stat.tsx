import { Paper, Progress, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { Children, type ReactNode } from "react";
import { type LinkSearch, linkTo } from "./link_to.ts";

/** Figures in one row, in two columns on narrow screens, and more than five in two rows between. */
export function StatGrid({ children }: { children: ReactNode }) {
  const count = Children.toArray(children).length;
  return (
    <SimpleGrid
      cols={{ base: 2, sm: count > 5 ? Math.ceil(count / 2) : count, lg: count }}
      className="stat-grid"
    >
      {children}
    </SimpleGrid>
  );
}

interface StatProps {
  label: string;
  /** Undefined while it loads. */
  value: ReactNode | undefined;
  note?: ReactNode;
  /** Drawn as a bar, from 0 to 1; null leaves its room empty. The note says it in words. */
  share?: number | null;
  /** Says more about the number when it is pointed at. */
  title?: string;
  /** The list behind the number; left out where there is none. */
  to?: string;
  search?: LinkSearch;
}

export function Stat({ label, value, note, share, title, to, search }: StatProps) {
  return (
    <Paper
      p="md"
      title={title}
      {...to !== undefined && { className: "stat", ...linkTo(to, search) }}
    >
      <Text size="sm" c="dimmed" fw={500} className="balanced">{label}</Text>
      {value === undefined ? <Skeleton h={30} w={90} my={4} /> : (
        <Text
          fz={{ base: 20, lg: 26 }}
          fw={650}
          lts="-0.02em"
          className="tabular"
          lh={1.35}
          truncate
        >
          {value}
        </Text>
      )}
      {share !== undefined && (
        <Progress
          value={(share ?? 0) * 100}
          size={4}
          my={6}
          aria-hidden
          {...share === null && { style: { visibility: "hidden" } }}
        />
      )}
      <Text size="xs" c="dimmed" mih={18} component="div">{note}</Text>
    </Paper>
  );
}
