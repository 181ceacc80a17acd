import { exportEvents } from "./export_events.ts";
import { getEvent } from "./get_event.ts";
import { listEventDeliveries } from "./list_event_deliveries.ts";
import { listEvents } from "./list_events.ts";

/** Routes of this resource. */
export const eventRoutes = [
  // Before `{id}`, which matches every word.
  exportEvents,
  getEvent,
  listEventDeliveries,
  listEvents,
] as const;
