import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { type LinkSearch, linkTo } from "../ui/link_to.ts";
import { useZone } from "../format/use_zone.ts";
import { zoneOfBuckets } from "./buckets.ts";
import type { TimeChartProps } from "./series.ts";
import { TimeChart } from "./time_chart.tsx";

interface ChartCardProps extends Omit<TimeChartProps, "label"> {
  title: string;
  /** The list behind the figures; left out where no list shows just these. */
  to?: string;
  search?: LinkSearch;
  /** Stands at the end of the title's line. */
  control?: ReactNode;
  /** Replaces the chart, for instance where there is nothing to draw. */
  children?: ReactNode;
}

/** A chart with a title and a link to the list it counts. */
export function ChartCard({ title, to, search, control, children, ...chart }: ChartCardProps) {
  const zone = useZone();
  return (
    <Paper p="md">
      <Group justify="space-between" mb="md" wrap={control ? "nowrap" : "wrap"}>
        <Group gap="xs">
          <Title order={2} size="h5">{title}</Title>
          {chart.data && <Text size="xs" c="dimmed">{zoneOfBuckets(chart.data, zone)}</Text>}
        </Group>
        {to !== undefined && (
          <Anchor {...linkTo(to, search)} size="sm" aria-label={`See all: ${title}`}>
            See all
          </Anchor>
        )}
        {control}
      </Group>
      {children ?? <TimeChart label={title} {...chart} />}
    </Paper>
  );
}
