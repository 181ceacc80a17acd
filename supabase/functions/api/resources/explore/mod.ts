import { exploreCounts } from "./explore_counts.ts";
import { exploreFunnel } from "./explore_funnel.ts";
import { explorePaths } from "./explore_paths.ts";
import { exploreRetention } from "./explore_retention.ts";

/** Routes of this resource. */
export const exploreRoutes = [
  exploreCounts,
  exploreFunnel,
  explorePaths,
  exploreRetention,
] as const;
