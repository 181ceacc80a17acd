import { listEventTypes } from "./list_event_types.ts";

/** Routes of this resource, in documentation order. */
export const eventTypeRoutes = [
  listEventTypes,
] as const;
