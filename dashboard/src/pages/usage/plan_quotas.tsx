import { Progress, SimpleGrid, Text } from "@mantine/core";
import type { Usage } from "../../api/types.ts";
import { formatCount } from "../../numbers.ts";
import { useWorkspace } from "../../workspace.ts";

const SECONDS = { hour: 3600, day: 86_400 } as const;

interface PlanQuotasProps {
  usage: Usage | undefined;
  interval: "hour" | "day";
}

/** What the plan allows, and how much of it the busiest time took. */
export function PlanQuotas({ usage, interval }: PlanQuotasProps) {
  const { plan } = useWorkspace();
  const most = Math.max(0, ...usage?.data.map(({ events }) => events) ?? []);
  const perSecond = most / SECONDS[interval];
  const share = Math.min(100, (perSecond / plan.ingest_per_second) * 100);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <div>
        <Text size="sm" fw={550}>Events</Text>
        <Text size="xl" fw={650} className="tabular">
          {formatCount(plan.ingest_per_second)} a second
        </Text>
        <Text size="xs" c="dimmed">bursts of {formatCount(plan.ingest_burst)}</Text>
        <Progress value={share} my={6} aria-label="Share of the quota in the busiest time" />
        <Text size="xs" c="dimmed" className="tabular">
          The busiest {interval} had {perSecond.toFixed(2)} a second on average
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
