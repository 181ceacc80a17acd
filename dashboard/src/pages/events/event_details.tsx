import { Anchor, Stack, Title } from "@mantine/core";
import type { TrackedEvent } from "../../api/types.ts";
import { JsonView } from "../../components/code_view.tsx";
import { ExactTime } from "../../components/exact_time.tsx";
import { FieldList } from "../../components/field_list.tsx";
import { IdText } from "../../components/id_text.tsx";
import { linkTo } from "../../components/link_to.ts";
import { useWorkspace } from "../../workspace.ts";
import { EventDeliveries } from "./event_deliveries.tsx";

export function EventDetails({ event }: { event: TrackedEvent }) {
  const { id } = useWorkspace();
  return (
    <Stack gap="lg">
      <FieldList
        fields={[
          [
            "Customer",
            <Anchor key="customer" {...linkTo(`/w/${id}/customers/${event.customer_id}`)} size="sm">
              {event.external_id ?? event.anon_id ?? event.customer_id}
            </Anchor>,
          ],
          ["Occurred", <ExactTime key="occurred" time={event.occurred_at} />],
          ["Received", <ExactTime key="received" time={event.received_at} />],
          ["Event id", <IdText key="id" value={event.id} label="the event id" />],
        ]}
      />
      <section>
        <Title order={3} size="h5" mb="xs">Deliveries of this event</Title>
        <EventDeliveries event={event} />
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Everything it holds</Title>
        <JsonView value={event} label="The event as JSON" />
      </section>
    </Stack>
  );
}
