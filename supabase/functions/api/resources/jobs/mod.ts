import { getJob } from "./get_job.ts";

/** Routes of this resource, in the order of the documentation. */
export const jobRoutes = [
  getJob,
] as const;
