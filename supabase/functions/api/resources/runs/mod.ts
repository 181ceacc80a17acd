import { getRun } from "./get_run.ts";
import { removeRun } from "./remove_run.ts";

/** Routes of this resource. */
export const runRoutes = [getRun, removeRun] as const;
