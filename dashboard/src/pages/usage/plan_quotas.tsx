import { Progress, SimpleGrid, Text } from "@mantine/core";
import type { Usage } from "../../api/types.ts";
import { formatBytes, formatCount, formatWhole } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

interface PlanQuotasProps {
  usage: Usage | undefined;
  interval: "hour" | "day";
}

/** The quotas of the plan, and how much the busiest period used. */
export function PlanQuotas({ usage, interval }: PlanQuotasProps) {
  const { plan } = useWorkspace();
  const dailyBytes = plan.ingest_bytes_per_day;
  const mostBytes = usage && mostPerDay(usage, interval);
  const perSecond = usage && usage.totals.busiest_minute / 60;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
      <div>
        <Text size="sm" fw={550}>Events</Text>
        <Text size="xl" fw={650} className="tabular">
          {formatCount(plan.ingest_per_second)} per second
        </Text>
        {perSecond !== undefined && (
          <Progress
            value={percentOf(perSecond, plan.ingest_per_second)}
            my={6}
            aria-label="Share of the event quota in the busiest minute"
          />
        )}
        <Text size="xs" c="dimmed">Bursts of up to {formatWhole(plan.ingest_burst)}</Text>
        {perSecond !== undefined && (
          <Text size="xs" c="dimmed" className="tabular">
            The busiest minute had {perSecond.toFixed(2)} per second
          </Text>
        )}
      </div>
      <div>
        <Text size="sm" fw={550}>Storage</Text>
        <Text size="xl" fw={650} className="tabular">{formatBytes(dailyBytes)} per day</Text>
        {mostBytes !== undefined && (
          <Progress
            value={percentOf(mostBytes, dailyBytes)}
            my={6}
            aria-label="Share of the daily storage in the busiest day"
          />
        )}
        <Text size="xs" c="dimmed">Counted over the last 24 hours, before compression</Text>
        {mostBytes !== undefined && (
          <Text size="xs" c="dimmed" className="tabular">
            The busiest day stored {formatBytes(mostBytes)}
          </Text>
        )}
      </div>
      <div>
        <Text size="sm" fw={550}>API requests</Text>
        <Text size="xl" fw={650} className="tabular">
          {formatCount(plan.api_per_second)} per second
        </Text>
        <Text size="xs" c="dimmed">Bursts of up to {formatWhole(plan.api_burst)}</Text>
      </div>
    </SimpleGrid>
  );
}

/** Returns the most bytes that were stored in a day, or in 24 hours in a row. */
function mostPerDay({ data }: Usage, interval: "hour" | "day"): number {
  const length = interval === "day" ? 1 : 24;
  const days = data.map((_, end) =>
    data.slice(Math.max(0, end + 1 - length), end + 1).reduce((sum, { bytes }) => sum + bytes, 0)
  );
  return Math.max(0, ...days);
}

/** Returns whole percent, at most 100, for screen readers. */
function percentOf(part: number, whole: number): number {
  return Math.round(Math.min(100, (part / whole) * 100));
}
