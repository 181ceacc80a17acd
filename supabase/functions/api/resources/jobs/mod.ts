import { getJob } from "./get_job.ts";

/** Routes of this resource. */
export const jobRoutes = [
  getJob,
] as const;
