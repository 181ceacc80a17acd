import { listEventTypes } from "./list_event_types.ts";

/** Routes of this resource, in the order of the documentation. */
export const eventTypeRoutes = [
  listEventTypes,
] as const;
