import { Group, Paper, Stack, Title } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import type { SenderStats as Stats } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useRange } from "../../url/use_filters.ts";
import { pickOutcomes, pickReports } from "./outcomes.ts";

const defaultRange = "24h";
const refreshMs = 15_000;

/** Outcomes of a sender's messages over the chosen time. */
export function SenderStats({ senderId }: { senderId: string }) {
  const range = useRange(defaultRange);
  const stats = useApiItem("GET /senders/{id}/stats", {
    params: { id: senderId },
    query: { ...range },
  }, { refetchInterval: refreshMs });
  return (
    <Stack component="section" aria-labelledby="sender-stats" gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4" id="sender-stats">Emails over time</Title>
        <RangePicker fallback={defaultRange} />
      </Group>
      {stats.error && !stats.data
        ? <ErrorState error={stats.error} retry={stats.refetch} />
        : <Outcomes stats={stats.data} />}
    </Stack>
  );
}

function Outcomes({ stats }: { stats: Stats | undefined }) {
  if (stats && Object.values(stats.totals).every((count) => count === 0)) {
    return (
      <Paper>
        <EmptyState icon={GraphIcon} title="No emails in this period">
          Choose a longer time range. Test emails do not count.
        </EmptyState>
      </Paper>
    );
  }
  const reports = stats && pickReports(stats.totals);
  return (
    <>
      <ChartCard
        title="Outcomes"
        kind="bar"
        height={240}
        data={stats?.data}
        series={pickOutcomes(stats?.totals)}
      />
      {stats && reports && reports.length > 0 && (
        <ChartCard
          title="Bounces and complaints, by the time of the email"
          kind="bar"
          height={160}
          data={stats.data}
          series={reports}
        />
      )}
    </>
  );
}
