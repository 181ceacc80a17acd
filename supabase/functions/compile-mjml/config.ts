import { z } from "zod";
import { logVariables } from "../_shared/config/config.ts";
import { dispatchKeyVariables } from "../_shared/config/dispatch_key.ts";

/** Environment variables of the compile-mjml function. It uses no database. */
export const compileConfig = z.object({ ...logVariables, ...dispatchKeyVariables });
