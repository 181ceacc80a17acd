import { listEventTypes } from "./list_event_types.ts";

/** Routes of this resource. */
export const eventTypeRoutes = [
  listEventTypes,
] as const;
