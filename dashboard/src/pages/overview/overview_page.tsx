import { Button, Grid, SimpleGrid, Stack } from "@mantine/core";
import { RocketIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Attention, NoAttention } from "./attention.tsx";
import { OverviewStats } from "./overview_stats.tsx";
import { RunningJourneys } from "./running_journeys.tsx";
import { Sending } from "./sending.tsx";
import { TopEvents } from "./top_events.tsx";
import { useProblems } from "./use_problems.ts";
import { DeliveriesChart, EventsChart } from "../../charts/usage_charts.tsx";

const defaultRange = "24h";
const refreshMs = 15_000;

export function OverviewPage() {
  const { id, name } = useWorkspace();
  const range = useRange(defaultRange);
  const usage = useApiItem("GET /usage", { query: { ...range } }, { refetchInterval: refreshMs });
  const problems = useProblems();
  const { filters } = useFilters();
  const time = { range: filters.range ?? defaultRange, since: filters.since, until: filters.until };
  const isEmpty = usage.data?.data.every(({ events, deliveries }) => events + deliveries === 0);
  return (
    <Page
      title="Overview"
      description={`Activity in ${name}. Includes identify and alias calls and events about sent emails, counted by the time of arrival.`}
      actions={
        <>
          {isEmpty && (
            <Button leftSection={<RocketIcon />} {...linkTo(`/w/${id}/getting-started`)}>
              Send your first event
            </Button>
          )}
          <RangePicker fallback={defaultRange} />
        </>
      }
    >
      {usage.error && !usage.data
        ? <ErrorState error={usage.error} retry={usage.refetch} />
        : (
          <Stack gap="lg">
            <OverviewStats usage={usage.data} />
            {problems.length > 0 && <Attention problems={problems} />}
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <EventsChart usage={usage.data} to={`/w/${id}/events`} search={time} hasLegend />
              <DeliveriesChart
                usage={usage.data}
                to={`/w/${id}/deliveries`}
                search={time}
              />
            </SimpleGrid>
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Stack gap="lg">
                  {problems.length === 0 && <NoAttention />}
                  <RunningJourneys />
                  <Sending />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <TopEvents usage={usage.data} />
              </Grid.Col>
            </Grid>
          </Stack>
        )}
    </Page>
  );
}
