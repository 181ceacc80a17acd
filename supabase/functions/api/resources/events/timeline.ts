import { type Position, timePosition, uuidPosition } from "../../kernel/cursor.ts";

/** Cursor form of a customer's events, by time of occurrence. */
export const timeline = { list: "customer-events", forms: [timePosition, uuidPosition] };

/** Position of an event in its customer's timeline. */
export function positionOnTimeline(event: { occurred_at: string; id: string }): Position {
  return [event.occurred_at, event.id];
}
