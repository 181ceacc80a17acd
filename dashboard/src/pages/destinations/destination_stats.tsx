import { Group, Paper, Stack, Title } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { memo } from "react";
import type { DestinationStats as Stats } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import type { LinkSearch } from "../../ui/link_to.ts";
import { RangePicker } from "../../ui/range_picker.tsx";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { countOf, formatCount, formatShare } from "../../format/numbers.ts";
import { formatDuration } from "../../format/time.ts";
import { useRange } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { DestinationCharts } from "./destination_charts.tsx";

const defaultRange = "24h";
const refreshMs = 15_000;
const bucketLengthMs = { hour: 3_600_000, day: 86_400_000 };

/** The figures of the chosen time range. */
export function useDestinationStats(destinationId: string) {
  const range = useRange(defaultRange);
  return useApiItem("GET /destinations/{id}/stats", {
    params: { id: destinationId },
    query: { ...range },
  }, { refetchInterval: refreshMs });
}

interface DestinationStatsProps {
  destinationId: string;
  stats: ReturnType<typeof useDestinationStats>;
}

/** Outcomes and latency of the attempts. */
export const DestinationStats = memo(
  function DestinationStats({ destinationId, stats }: DestinationStatsProps) {
    return (
      <Stack component="section" aria-labelledby="destination-stats" gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4" id="destination-stats">Success and latency</Title>
          <RangePicker fallback={defaultRange} />
        </Group>
        {stats.error && !stats.data
          ? <ErrorState error={stats.error} retry={stats.refetch} />
          : <Figures destinationId={destinationId} stats={stats.data} />}
      </Stack>
    );
  },
);

interface FiguresProps {
  destinationId: string;
  stats: Stats | undefined;
}

function Figures({ destinationId, stats }: FiguresProps) {
  if (stats && stats.totals.ok + stats.totals.failed === 0) {
    return (
      <Paper>
        <EmptyState icon={GraphIcon} title="No attempts in this period">
          Choose a longer time range. Tests do not count.
        </EmptyState>
      </Paper>
    );
  }
  const search = { destination_id: destinationId, ...spanOf(stats) };
  return (
    <>
      <Totals totals={stats?.totals} search={search} />
      <DestinationCharts stats={stats} search={search} />
    </>
  );
}

/** Returns the whole hours or days of the figures, so that the list matches them. */
function spanOf(stats: Stats | undefined): LinkSearch {
  const last = stats?.data.at(-1);
  if (!stats || !last) return {};
  const until = new Date(Date.parse(last.at) + bucketLengthMs[stats.interval]).toISOString();
  return { since: stats.since, until };
}

function Totals({ totals, search }: { totals: Stats["totals"] | undefined; search: LinkSearch }) {
  const { id } = useWorkspace();
  const to = `/w/${id}/deliveries`;
  const { ok = 0, failed = 0, duration_ms: duration } = totals ?? {};
  const show = (value: string) => totals ? value : undefined;
  const time = (ms: number | undefined) => ms === undefined ? "–" : formatDuration(ms);
  return (
    <StatGrid>
      <Stat
        label="Success rate"
        value={show(formatShare(ok, ok + failed))}
        note={totals && `${formatCount(ok)} of ${countOf(ok + failed, "attempt")}`}
        to={to}
        search={{ ...search, ok: "true" }}
      />
      <Stat
        label="Failed attempts"
        value={show(formatCount(failed))}
        note={totals && formatShare(failed, ok + failed)}
        to={to}
        search={{ ...search, ok: "false" }}
      />
      <Stat
        label="Mean latency"
        value={show(time(duration?.mean))}
        note={duration && `Median ${time(duration.p50)}`}
        to={to}
        search={search}
      />
      <Stat
        label="p95 latency"
        value={show(time(duration?.p95))}
        note={duration && `Max ${time(duration.max)}`}
        to={to}
        search={search}
      />
    </StatGrid>
  );
}
