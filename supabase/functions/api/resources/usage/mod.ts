import { getUsage } from "./get_usage.ts";

/** Routes of this resource, in documentation order. */
export const usageRoutes = [
  getUsage,
] as const;
