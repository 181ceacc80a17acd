import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { FilterValue } from "../../conditions/filter_value.tsx";
import { sortKeys } from "../../format/sort_keys.ts";
import { formatLocal } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CopyTrackCurl } from "./copy_track_curl.tsx";
import { emailIds, EventEmail, useEventEmail } from "./event_email.tsx";
import { nameCustomer } from "./name_customer.ts";
import { EventKind, eventTitle } from "./event_kind.tsx";
import type { TrackedEvent } from "../../api/types.ts";
import { JsonView } from "../../ui/code_view.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { MessageAtDestination } from "../messages/message_at_destination.tsx";
import { Drawer } from "../../ui/overlays.tsx";

/** Shows the event that the page's address names. */
export function EventDrawer({ isOpen }: { isOpen: boolean }) {
  const { filters, setFilters } = useFilters();
  const event = useApiItem("GET /events/{id}", { params: { id: filters.event ?? "" } }, {
    enabled: filters.event !== undefined,
  });
  const close = () => setFilters({ event: undefined });
  const isShown = event.data?.id === filters.event;
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size="lg"
      title={event.data && isShown && (
        <Group gap="sm" wrap="nowrap">
          <EventKind kind={event.data.kind} />
          <span className="break-anywhere" dir="auto">{eventTitle(event.data)}</span>
        </Group>
      )}
      closeButtonProps={{ "aria-label": "Close event" }}
    >
      <ItemView
        item={isShown ? event : { ...event, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => <EventDetails event={data} />}
      </ItemView>
    </Drawer>
  );
}

export function EventDetails({ event }: { event: TrackedEvent }) {
  const { id } = useWorkspace();
  const send = useEventEmail(event);
  return (
    <Stack gap="lg">
      <FieldList
        fields={[
          [
            "Customer",
            <Group key="customer" gap="md" className="whole-line">
              <Anchor {...linkTo(`/w/${id}/customers/${event.customer_id}`)} size="sm">
                <bdi>{nameCustomer(event)}</bdi>
              </Anchor>
              <Ids event={event} />
            </Group>,
          ],
          ["Occurred", <TimeLine key="occurred" time={event.occurred_at} />],
          ["Received", <TimeLine key="received" time={event.received_at} />],
          ["Event ID", <IdText key="id" value={event.id} label="event ID" />],
        ]}
      />
      {send && <EventEmail send={send} />}
      <Properties event={event} hidden={send ? emailIds : []} />
      <section>
        <Title order={3} size="h5" mb="xs">Destinations</Title>
        <EventDeliveries event={event} />
      </section>
      <section>
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h5">Raw event</Title>
          <CopyTrackCurl event={event} />
        </Group>
        <JsonView value={event} label="Raw event" />
      </section>
    </Stack>
  );
}

/** The IDs that an event was sent with, unless one is all that names its customer. */
function Ids({ event }: { event: TrackedEvent }) {
  const ids = [["external ID", event.external_id], ["anonymous ID", event.anon_id]] as const;
  return ids.map(([label, value]) =>
    value !== null && value !== nameCustomer(event) && (
      <IdText key={label} value={value} label={label} />
    )
  );
}

/** A moment to the millisecond and relative to now, in one line. */
function TimeLine({ time }: { time: string }) {
  const zone = useZone();
  return (
    <Group gap="xs" className="whole-line">
      <span className="tabular">{formatLocal(time, zone)} {zone}</span>
      <Text span size="xs" c="dimmed">
        <TimeAgo time={time} />
      </Text>
    </Group>
  );
}

interface PropertiesProps {
  event: TrackedEvent;
  /** Names of properties that are shown elsewhere. */
  hidden: readonly string[];
}

/** The properties of an event. A click on a value shows the events of its name that have it. */
function Properties({ event, hidden }: PropertiesProps) {
  const entries = Object.entries(sortKeys(event.properties))
    // A dot separates the names of a path.
    .filter(([key, value]) =>
      typeof value !== "object" && !key.includes(".") && !hidden.includes(key)
    );
  if (entries.length === 0) return null;
  const search = { name: event.name ?? undefined };
  return (
    <section>
      <Title order={3} size="h5" mb="xs">Properties</Title>
      <FieldList
        fields={entries.map(([key, value]) => [
          key,
          <FilterValue
            key={key}
            list="events"
            place={{ property: key }}
            value={value}
            search={search}
          >
            <bdi>{String(value)}</bdi>
          </FilterValue>,
        ])}
      />
    </section>
  );
}

const pollMs = 3_000;

/** The destinations that an event matched, with the state of its message at each. */
export function EventDeliveries({ event }: { event: TrackedEvent }) {
  const { id } = useWorkspace();
  const route = useApiItem("GET /events/{id}/deliveries", { params: { id: event.id } }, {
    refetchInterval: pollMs,
  });
  return (
    <ItemView item={route} skeleton={<Skeleton h={24} />}>
      {({ message_id, destinations, deliveries }) => (
        <Stack gap="sm">
          {destinations.length === 0 && (
            <Text size="sm" c="dimmed">
              {message_id
                ? "The destinations of this event were deleted."
                : "No destination subscribes to this event."}
            </Text>
          )}
          {destinations.map((message) => (
            <Paper key={message.destination_id} p="sm">
              <MessageAtDestination
                message={message}
                attempts={deliveries.filter((delivery) =>
                  delivery.destination_id === message.destination_id
                )}
              />
            </Paper>
          ))}
          {message_id && (
            <Anchor {...linkTo(`/w/${id}/messages`, { message: message_id })} size="sm">
              View message
            </Anchor>
          )}
        </Stack>
      )}
    </ItemView>
  );
}
