import { z } from "zod";
import { databaseVariables, logVariables } from "../_shared/config.ts";

/** The variables `track` reads. */
export const trackConfig = z.object({ ...databaseVariables, ...logVariables });
