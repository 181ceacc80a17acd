import { Anchor, Group, Paper, Title } from "@mantine/core";
import type { Usage } from "../../api/types.ts";
import { type Series, TimeChart } from "../../charts/time_chart.tsx";
import { linkTo } from "../../components/link_to.ts";

interface UsageChartProps {
  title: string;
  usage: Usage | undefined;
  series: Series[];
  /** The list behind the figures. */
  to: string;
}

export function UsageChart({ title, usage, series, to }: UsageChartProps) {
  const data = usage?.data.map((bucket) => ({
    ...bucket,
    delivered: bucket.deliveries - bucket.failures,
  }));
  return (
    <Paper p="md">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h5">{title}</Title>
        <Anchor {...linkTo(to)} size="sm" aria-label={`See all: ${title}`}>See all</Anchor>
      </Group>
      <TimeChart
        label={title}
        data={data}
        series={series}
        kind={series.length > 1 ? "bar" : "area"}
      />
    </Paper>
  );
}
