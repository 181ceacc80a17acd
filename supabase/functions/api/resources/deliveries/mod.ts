import { exportDeliveries } from "./export_deliveries.ts";
import { getDelivery } from "./get_delivery.ts";
import { listDeliveries } from "./list_deliveries.ts";
import { replayDelivery } from "./replay_delivery.ts";

/** Routes of this resource. */
export const deliveryRoutes = [
  // Before `{id}`, which matches every word.
  exportDeliveries,
  getDelivery,
  listDeliveries,
  replayDelivery,
] as const;
