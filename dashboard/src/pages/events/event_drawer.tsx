import { Drawer, Group, Skeleton } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../components/item_view.tsx";
import { useFilters } from "../../use_filters.ts";
import { EventDetails } from "./event_details.tsx";
import { EventKind, eventTitle } from "./event_kind.tsx";

/** The event that the page's address names. */
export function EventDrawer() {
  const { filters, setFilters } = useFilters();
  const event = useApiItem("GET /events/{id}", { params: { id: filters.event ?? "" } }, {
    enabled: filters.event !== undefined,
  });
  const close = () => setFilters({ event: undefined });
  const isShown = event.data?.id === filters.event;
  return (
    <Drawer
      opened={filters.event !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={event.data && isShown && (
        <Group gap="sm" wrap="nowrap">
          <EventKind kind={event.data.kind} />
          <b className="break-anywhere">{eventTitle(event.data)}</b>
        </Group>
      )}
      closeButtonProps={{ "aria-label": "Close the event" }}
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
