import { getCataloguedEvent } from "./get_catalogued_event.ts";
import { listCatalogue } from "./list_catalogue.ts";
import { updateEventDefinition } from "./update_event_definition.ts";

/** Routes of this resource. */
export const catalogueRoutes = [
  getCataloguedEvent,
  listCatalogue,
  updateEventDefinition,
] as const;
