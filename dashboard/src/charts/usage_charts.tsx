import type { Usage } from "../api/types.ts";
import type { LinkSearch } from "../ui/link_to.ts";
import { ChartCard } from "./chart_card.tsx";
import type { Bucket } from "./series.ts";

interface UsageChartProps {
  /** Undefined while it loads. */
  usage: Usage | undefined;
  /** Path of the list behind the figures. */
  to: string;
  search?: LinkSearch;
  /** Also names a single series, so that the plot is as high as one beside it with several. */
  hasLegend?: boolean;
}

export function EventsChart({ usage, ...link }: UsageChartProps) {
  return (
    <ChartCard
      {...link}
      title="Events"
      data={usage?.data}
      kind="bar"
      series={[{ name: "events", label: "Events", color: "signal.6" }]}
    />
  );
}

export function CustomersChart({ usage, ...link }: UsageChartProps) {
  return (
    <ChartCard
      {...link}
      title="New customers"
      data={usage?.data}
      kind="bar"
      series={[{ name: "customers", label: "Customers", color: "teal.6" }]}
    />
  );
}

export function DeliveriesChart({ usage, ...link }: UsageChartProps) {
  const data = usage?.data.map((bucket): Bucket => ({
    ...bucket,
    delivered: bucket.deliveries - bucket.failures,
  }));
  return (
    <ChartCard
      {...link}
      title="Webhook deliveries"
      data={data}
      kind="bar"
      series={[
        { name: "delivered", label: "Delivered", color: "teal.6" },
        { name: "failures", label: "Failed", color: "red.6" },
      ]}
    />
  );
}
