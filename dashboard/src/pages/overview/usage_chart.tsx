import type { Usage } from "../../api/types.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import type { Series } from "../../charts/time_chart.tsx";

interface UsageChartProps {
  title: string;
  usage: Usage | undefined;
  series: Series[];
  /** The list behind the figures. */
  to: string;
}

export function UsageChart({ usage, series, ...props }: UsageChartProps) {
  const data = usage?.data.map((bucket) => ({
    ...bucket,
    delivered: bucket.deliveries - bucket.failures,
  }));
  return (
    <ChartCard data={data} series={series} kind={series.length > 1 ? "bar" : "area"} {...props} />
  );
}
