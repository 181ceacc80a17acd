import { getJob } from "./get_job.ts";

/** Routes of this resource, in documentation order. */
export const jobRoutes = [
  getJob,
] as const;
