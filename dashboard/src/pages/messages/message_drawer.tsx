import { Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { MessageDetail } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { ExactTime } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { prettyJson } from "../../format/pretty_json.ts";
import { MessageAtDestination } from "./message_at_destination.tsx";
import { MessageCustomer } from "./message_customer.tsx";
import { Drawer } from "../../ui/overlays.tsx";

const refreshMs = 3_000;

/** Shows the message that the page's address names. */
export function MessageDrawer({ isOpen }: { isOpen: boolean }) {
  const { filters, setFilters } = useFilters();
  const message = useApiItem("GET /messages/{id}", { params: { id: filters.message ?? "" } }, {
    enabled: filters.message !== undefined,
    refetchInterval: refreshMs,
  });
  const isShown = message.data?.id === filters.message;
  return (
    <Drawer
      opened={isOpen}
      onClose={() => setFilters({ message: undefined })}
      position="right"
      size="lg"
      title={message.data && isShown && (
        <span className="break-anywhere" dir="auto">{message.data.event_type}</span>
      )}
      closeButtonProps={{ "aria-label": "Close message" }}
    >
      <ItemView
        item={isShown ? message : { ...message, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => <MessageDetails message={data} />}
      </ItemView>
    </Drawer>
  );
}

function MessageDetails({ message }: { message: MessageDetail }) {
  const { destinations, deliveries, body } = message;
  return (
    <Stack gap="lg">
      <FieldList
        fields={[
          ["Created", <ExactTime key="created" time={message.created_at} />],
          ["Customer", message.customer_id && <MessageCustomer key="customer" message={message} />],
          ["Message ID", <IdText key="id" value={message.id} label="message ID" />],
        ]}
      />
      <section>
        <Title order={3} size="h5" mb="xs">Destinations</Title>
        <Stack gap="sm">
          {destinations.length === 0 && (
            <Text size="sm" c="dimmed">Its destinations were deleted.</Text>
          )}
          {destinations.map((each) => (
            <Paper key={each.destination_id} p="sm">
              <MessageAtDestination
                message={each}
                body={body}
                attempts={deliveries.filter((delivery) =>
                  delivery.destination_id === each.destination_id
                )}
              />
            </Paper>
          ))}
        </Stack>
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Body</Title>
        {body === null
          ? <Text size="sm" c="dimmed">The body was erased with its customer.</Text>
          : <CodeView code={prettyJson(body)} language="json" label="Body" />}
      </section>
    </Stack>
  );
}
