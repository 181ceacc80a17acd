import { type Place, timePlace, uuidPlace } from "../../kernel/cursor.ts";

/** The events of a customer, by time of occurrence. */
export const timeline = { list: "customer-events", forms: [timePlace, uuidPlace] };

/** The place of an event on its customer's timeline. */
export function placeOnTimeline(event: { occurred_at: string; id: string }): Place {
  return [event.occurred_at, event.id];
}
