import { type Place, timePlace, uuidPlace } from "../../kernel/cursor.ts";

/** Cursor form of a customer's events, by time of occurrence. */
export const timeline = { list: "customer-events", forms: [timePlace, uuidPlace] };

/** Position of an event in its customer's timeline. */
export function placeOnTimeline(event: { occurred_at: string; id: string }): Place {
  return [event.occurred_at, event.id];
}
