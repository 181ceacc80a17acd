import { readObject } from "../../api/read_object.ts";
import type { DeliveryDetail } from "../../api/types.ts";

/** An event to send to one destination. */
export interface TestEvent {
  type: string;
  /** Null for the payload of the newest event of that name. */
  payload: string | null;
}

/** Names the draft of a test event: of a destination, or of one of its deliveries. */
export function testEventDraft(destinationId: string, deliveryId?: string): string {
  return `test-event:${deliveryId ?? destinationId}`;
}

/** Returns the event of a delivery; undefined if its message is gone, or is a ping. */
export function readTestEvent({ event_type, message }: DeliveryDetail): TestEvent | undefined {
  if (event_type === "ping" || !message?.body) return undefined;
  const payload = readObject(message.body)?.payload;
  return payload === undefined
    ? undefined
    : { type: event_type, payload: JSON.stringify(payload, null, 2) };
}
