import { SimpleGrid } from "@mantine/core";
import type { DestinationStats } from "../../api/types.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import type { LinkSearch } from "../../ui/link_to.ts";
import { useWorkspace } from "../../api/workspace.ts";

interface DestinationChartsProps {
  stats: DestinationStats | undefined;
  /** Filters the list of deliveries to the attempts behind the figures. */
  search: LinkSearch;
}

export function DestinationCharts({ stats, search }: DestinationChartsProps) {
  const { id } = useWorkspace();
  const shared = {
    data: stats?.data.map(({ at, ok, failed, duration_ms }) => ({
      at,
      ok,
      failed,
      mean: duration_ms?.mean ?? null,
      p95: duration_ms?.p95 ?? null,
    })),
    height: 200,
    to: `/w/${id}/deliveries`,
    search,
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <ChartCard
        {...shared}
        title="Outcomes"
        kind="bar"
        series={[
          { name: "ok", label: "Delivered", color: "teal.6" },
          { name: "failed", label: "Failed", color: "red.6" },
        ]}
      />
      <ChartCard
        {...shared}
        title="Latency"
        kind="line"
        unit=" ms"
        series={[
          { name: "mean", label: "Mean", color: "signal.6" },
          { name: "p95", label: "p95", color: "orange.6" },
        ]}
      />
    </SimpleGrid>
  );
}
