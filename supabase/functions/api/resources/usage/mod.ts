import { getUsage } from "./get_usage.ts";

/** Routes of this resource, in the order of the documentation. */
export const usageRoutes = [
  getUsage,
] as const;
