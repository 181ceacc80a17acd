import { Progress, SimpleGrid, Text } from "@mantine/core";
import type { Usage } from "../../api/types.ts";
import { formatBytes, formatCount } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

const SECONDS = { hour: 3600, day: 86_400 } as const;

interface PlanQuotasProps {
  usage: Usage | undefined;
  interval: "hour" | "day";
}

/** What the plan allows, and how much of it the busiest time took. */
export function PlanQuotas({ usage, interval }: PlanQuotasProps) {
  const { plan } = useWorkspace();
  const bytesADay = plan.ingest_bytes_per_day;
  const mostBytes = Math.max(0, ...usage?.data.map(({ bytes }) => bytes) ?? []);
  const most = Math.max(0, ...usage?.data.map(({ events }) => events) ?? []);
  const perSecond = most / SECONDS[interval];
  const share = percentOf(perSecond, plan.ingest_per_second);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
      <div>
        <Text size="sm" fw={550}>Events</Text>
        <Text size="xl" fw={650} className="tabular">
          {formatCount(plan.ingest_per_second)} a second
        </Text>
        <Text size="xs" c="dimmed">bursts of {formatCount(plan.ingest_burst)}</Text>
        <Progress value={share} my={6} aria-label="Share of the quota in the busiest time" />
        <Text size="xs" c="dimmed" className="tabular">
          The busiest {interval} averaged {perSecond.toFixed(2)} a second
        </Text>
      </div>
      <div>
        <Text size="sm" fw={550}>Storage</Text>
        <Text size="xl" fw={650} className="tabular">{formatBytes(bytesADay)} a day</Text>
        <Text size="xs" c="dimmed">in the last 24 hours, compressed or not</Text>
        <Progress
          value={percentOf(mostBytes, bytesADay)}
          my={6}
          aria-label={`Share of the bytes a day in the busiest ${interval}`}
        />
        <Text size="xs" c="dimmed" className="tabular">
          The busiest {interval} stored {formatBytes(mostBytes)}
        </Text>
      </div>
      <div>
        <Text size="sm" fw={550}>API requests</Text>
        <Text size="xl" fw={650} className="tabular">
          {formatCount(plan.api_per_second)} a second
        </Text>
        <Text size="xs" c="dimmed">bursts of {formatCount(plan.api_burst)}</Text>
      </div>
    </SimpleGrid>
  );
}

/** In whole percent, 100 at most: screen readers are not told 7.5e-7. */
function percentOf(part: number, whole: number): number {
  return Math.round(Math.min(100, (part / whole) * 100));
}
