import { getUsage } from "./get_usage.ts";

/** Routes of this resource. */
export const usageRoutes = [
  getUsage,
] as const;
