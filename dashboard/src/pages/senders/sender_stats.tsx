import { Stack } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useRange } from "../../url/use_filters.ts";
import { pickOutcomes, pickReports } from "./outcomes.ts";

const defaultRange = "24h";
const refreshMs = 15_000;
const chartHeight = 240;

/** Outcomes of a sender's emails over the chosen time. */
export function SenderStats({ senderId }: { senderId: string }) {
  const range = useRange(defaultRange);
  const stats = useApiItem("GET /senders/{id}/stats", {
    params: { id: senderId },
    query: { ...range },
  }, { refetchInterval: refreshMs });
  const totals = stats.data?.totals;
  const reports = totals ? pickReports(totals) : [];
  return (
    <Stack gap="lg">
      <ChartCard
        title="Emails over time"
        kind="bar"
        height={chartHeight}
        data={stats.data?.data}
        series={pickOutcomes(totals)}
        control={<RangePicker fallback={defaultRange} />}
      >
        {explainNoChart(stats)}
      </ChartCard>
      {stats.data && reports.length > 0 && (
        <ChartCard
          title="Bounces and complaints, by the time of the email"
          kind="bar"
          height={160}
          data={stats.data.data}
          series={reports}
        />
      )}
    </Stack>
  );
}

/** The reason why there is nothing to draw; undefined if there is something. */
function explainNoChart(
  { data, error, refetch }: ReturnType<typeof useApiItem<"GET /senders/{id}/stats">>,
) {
  if (data === undefined) return error ? <ErrorState error={error} retry={refetch} /> : undefined;
  if (Object.values(data.totals).some((count) => count > 0)) return undefined;
  return (
    <EmptyState icon={GraphIcon} title="No emails in this period">
      Choose a longer time range. Test emails do not count.
    </EmptyState>
  );
}
