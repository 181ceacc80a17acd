import { Anchor } from "@mantine/core";
import type { DeliveryDetail } from "../../api/types.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { formatDuration } from "../../format/time.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { MessageCustomer } from "../messages/message_customer.tsx";
import { destinationName, nameAttempt } from "./outcome_badge.tsx";
import { useMessage } from "./use_message.ts";

export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { id } = useWorkspace();
  const { message } = useMessage(delivery);
  return (
    <FieldList
      fields={[
        [
          "Destination",
          <Anchor
            key="destination"
            {...linkTo(`/w/${id}/destinations/${delivery.destination_id}`)}
            size="sm"
          >
            {destinationName(delivery)}
          </Anchor>,
        ],
        [
          "Customer",
          message && <MessageCustomer key="customer" message={message} />,
        ],
        ["Attempt", nameAttempt(delivery)],
        ["Attempted", <ExactTime key="at" time={delivery.attempted_at} />],
        ["Duration", delivery.duration_ms === null ? null : formatDuration(delivery.duration_ms)],
        ["Message ID", <IdText key="message" value={delivery.message_id} label="message ID" />],
        ["Delivery ID", <IdText key="id" value={delivery.id} label="delivery ID" />],
      ]}
    />
  );
}
