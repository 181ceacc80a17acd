import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { Delivery, TrackedEvent } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { ErrorState } from "../../components/error_state.tsx";
import { linkTo } from "../../components/link_to.ts";
import { TimeAgo } from "../../components/time_ago.tsx";
import { useWorkspace } from "../../workspace.ts";
import { OutcomeBadge } from "../deliveries/outcome_badge.tsx";
import { useDestinationNames } from "../deliveries/use_destination_names.ts";

/** Which destinations heard of the event, and how that went. */
export function EventDeliveries({ event }: { event: TrackedEvent }) {
  const { id } = useWorkspace();
  const { nameOf } = useDestinationNames();
  const deliveries = useApiList<Delivery>("/deliveries", {
    query: { event_id: event.id },
    refetchInterval: 5_000,
  });
  if (deliveries.error) return <ErrorState error={deliveries.error} retry={deliveries.refetch} />;
  const rows = listRows(deliveries);
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {deliveries.isPending ? "Looking for deliveries" : "No destination subscribes to it."}
      </Text>
    );
  }
  return (
    <Stack gap={6}>
      {rows.map((delivery) => (
        <Group key={delivery.id} justify="space-between" wrap="nowrap">
          <Anchor {...linkTo(`/w/${id}/deliveries/${delivery.id}`)} size="sm">
            {nameOf(delivery.destination_id)}
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            <OutcomeBadge {...delivery} />
            <Text size="xs" c="dimmed">
              <TimeAgo time={delivery.attempted_at} />
            </Text>
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
