import { Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { CustomersChart, DeliveriesChart, EventsChart } from "../../charts/usage_charts.tsx";
import { PlanLimits } from "./plan_limits.tsx";
import { PlanQuotas } from "./plan_quotas.tsx";
import { ThrottledPanel } from "./throttled_panel.tsx";
import { UsageStats } from "./usage_stats.tsx";

const defaultRange = "30d";

export function UsagePage() {
  const { id, plan } = useWorkspace();
  const range = useRange(defaultRange);
  const usage = useApiItem("GET /usage", { query: { ...range } });
  const { filters } = useFilters();
  const time = { range: filters.range ?? defaultRange, since: filters.since, until: filters.until };
  return (
    <Page
      title="Usage"
      description="What this workspace received and sent, and how much of your plan that is."
      actions={<RangePicker fallback={defaultRange} />}
    >
      <Stack gap="lg">
        {(usage.data || !usage.error) && <UsageStats usage={usage.data} time={time} />}
        <Paper p="md">
          <Title order={2} size="h5" mb={4} className="capitalized">{plan.id} plan</Title>
          <Text size="sm" c="dimmed" mb="md">
            Requests over a quota are refused with status 429 and say when to try again. You are
            never billed.
          </Text>
          <PlanQuotas usage={usage.data} interval={range.interval} />
          <PlanLimits />
        </Paper>
        {usage.error && !usage.data
          ? <ErrorState error={usage.error} retry={usage.refetch} />
          : (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <EventsChart usage={usage.data} to={`/w/${id}/events`} search={time} />
              <CustomersChart usage={usage.data} to={`/w/${id}/customers`} />
              <DeliveriesChart
                usage={usage.data}
                to={`/w/${id}/deliveries`}
                search={time}
              />
              <ThrottledPanel usage={usage.data} />
            </SimpleGrid>
          )}
      </Stack>
    </Page>
  );
}
