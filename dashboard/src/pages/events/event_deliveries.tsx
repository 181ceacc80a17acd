import { Anchor, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { TrackedEvent } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../components/item_view.tsx";
import { linkTo } from "../../components/link_to.ts";
import { TimeAgo } from "../../components/time_ago.tsx";
import { useWorkspace } from "../../workspace.ts";
import { OutcomeBadge } from "../deliveries/outcome_badge.tsx";
import { useDestinationNames } from "../deliveries/use_destination_names.ts";

const POLL_MS = 3_000;

/** Which destinations heard of the event, and how that went. */
export function EventDeliveries({ event }: { event: TrackedEvent }) {
  const { id } = useWorkspace();
  const { nameOf } = useDestinationNames();
  const route = useApiItem("GET /events/{id}/deliveries", { params: { id: event.id } }, {
    refetchInterval: POLL_MS,
  });
  return (
    <ItemView item={route} skeleton={<Skeleton h={24} />}>
      {({ message_id, deliveries }) => (
        <Stack gap={6}>
          {deliveries.length === 0 && (
            <Text size="sm" c="dimmed">
              {message_id
                ? "Its message is waiting to be delivered."
                : "No destination subscribes to it, so nothing was sent."}
            </Text>
          )}
          {deliveries.map((delivery) => (
            <Group key={delivery.id} justify="space-between" wrap="nowrap">
              <Anchor {...linkTo(`/w/${id}/deliveries/${delivery.id}`)} size="sm">
                {nameOf(delivery.destination_id)}
              </Anchor>
              <Group gap="xs" wrap="nowrap">
                <OutcomeBadge {...delivery} />
                <Text size="xs" c="dimmed" component="div">
                  <TimeAgo time={delivery.attempted_at} />
                </Text>
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </ItemView>
  );
}
