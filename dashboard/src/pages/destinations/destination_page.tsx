import { Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { Delivery, Destination } from "../../api/types.ts";
import { type ListQuery, useApiItem } from "../../api/use_api.ts";
import { describeCondition } from "../../conditions/describe.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { EventTypes, HealthBadge } from "./destination_columns.tsx";
import { DestinationActions } from "./destination_actions.tsx";
import { DestinationBacklog } from "./destination_backlog.tsx";
import { DestinationNotices } from "./destination_notices.tsx";
import { DestinationStats, useDestinationStats } from "./destination_stats.tsx";
import { RecentDeliveries, useRecentDeliveries } from "./recent_deliveries.tsx";

const refreshMs = 5_000;

export function DestinationPage() {
  const { destinationId } = useParams({ from: "/w/$workspaceId/destinations/$destinationId" });
  const destination = useApiItem("GET /destinations/{id}", { params: { id: destinationId } }, {
    refetchInterval: refreshMs,
  });
  // Loads beside the destination instead of after it, and redraws only what shows it.
  const stats = useDestinationStats(destinationId);
  const deliveries = useRecentDeliveries(destinationId);
  return (
    <ItemView item={destination}>
      {(data) => <Details destination={data} stats={stats} deliveries={deliveries} />}
    </ItemView>
  );
}

interface DetailsProps {
  destination: Destination;
  stats: ReturnType<typeof useDestinationStats>;
  deliveries: ListQuery<Delivery>;
}

function Details({ destination, stats, deliveries }: DetailsProps) {
  return (
    <Page
      title={destination.name}
      above={<BackLink path="/destinations">Destinations</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{destination.name}</bdi>
          <HealthBadge destination={destination} />
        </Group>
      }
      description={<IdText value={destination.url} label="endpoint URL" />}
      actions={<DestinationActions destination={destination} />}
    >
      <Stack gap="lg">
        <DestinationNotices destination={destination} />
        <DestinationBacklog destination={destination} />
        <DestinationStats destinationId={destination.id} stats={stats} />
        <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="lg">
          <div style={{ gridColumn: "span 2" }} className="wide-cell" data-from="lg">
            <Text component="h2" fw={650} size="md" mb="sm">Recent deliveries</Text>
            <RecentDeliveries destinationId={destination.id} deliveries={deliveries} />
          </div>
          <Paper p="md">
            <Title order={2} size="h5" mb="sm">Settings</Title>
            <FieldList
              fields={[
                ["Event types", <EventTypes key="types" types={destination.event_types} />],
                ["Filter", destination.filter && describeCondition(destination.filter)],
                [
                  "Request headers",
                  destination.header_names.length > 0
                    ? (
                      <div key="headers" className="whole-row mono">
                        {destination.header_names.map((name) => <div key={name}>{name}</div>)}
                      </div>
                    )
                    : null,
                ],
                ["Description", destination.description],
                [
                  "Requests per second",
                  destination.rate_limit_per_second ?? "No limit",
                ],
                ["Concurrent requests", destination.max_concurrency],
                ["Created", <TimeAgo key="created" time={destination.created_at} />],
                ["Updated", <TimeAgo key="updated" time={destination.updated_at} />],
                [
                  "Destination ID",
                  <IdText key="id" value={destination.id} label="destination ID" />,
                ],
              ]}
            />
          </Paper>
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
