import { getDelivery } from "./get_delivery.ts";
import { listDeliveries } from "./list_deliveries.ts";
import { replayDelivery } from "./replay_delivery.ts";

/** Routes of this resource. */
export const deliveryRoutes = [
  getDelivery,
  listDeliveries,
  replayDelivery,
] as const;
