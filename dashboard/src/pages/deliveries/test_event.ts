import { readObject } from "../../api/read_object.ts";

/** An event to send to one destination. */
export interface TestEvent {
  type: string;
  /** Null for the payload of the newest event of that name. */
  payload: string | null;
}

/** A message that was sent to a destination. */
export interface SentMessage {
  id: string;
  event_type: string;
  /** Null once it is erased or no longer kept. */
  body: string | null;
}

/** Names the draft of a test event for a destination: of its own, or from one of its messages. */
export function testEventDraft(destinationId: string, messageId?: string): string {
  return messageId === undefined
    ? `test-event:${destinationId}`
    : `test-event:${destinationId}:${messageId}`;
}

/** Returns the event of a message; undefined if its body is gone, or if it is a ping. */
export function readTestEvent({ event_type, body }: SentMessage): TestEvent | undefined {
  if (event_type === "ping" || !body) return undefined;
  const payload = readObject(body)?.payload;
  return payload === undefined
    ? undefined
    : { type: event_type, payload: JSON.stringify(payload, null, 2) };
}
