import type { DeliveryDetail } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";

const refreshMs = 5_000;

/** The message of an attempt, and its state at the attempt's destination. */
export function useMessage(
  { message, message_id, destination_id }: Pick<
    DeliveryDetail,
    "message" | "message_id" | "destination_id"
  >,
) {
  const { data } = useApiItem("GET /messages/{id}", { params: { id: message_id } }, {
    enabled: message !== null,
    refetchInterval: refreshMs,
  });
  const read = data?.id === message_id ? data : undefined;
  return {
    message: read,
    /** Undefined until it is read, and for a message or destination that no longer exists. */
    state: read?.destinations.find((each) => each.destination_id === destination_id),
    isRead: message === null || read !== undefined,
  };
}
