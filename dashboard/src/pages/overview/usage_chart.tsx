import type { Usage } from "../../api/types.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import type { Series } from "../../charts/time_chart.tsx";
import type { LinkSearch } from "../../components/link_to.ts";

interface UsageChartProps {
  title: string;
  usage: Usage | undefined;
  series: Series[];
  /** The list behind the figures. */
  to: string;
  search?: LinkSearch;
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
