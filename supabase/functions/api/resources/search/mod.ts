import { search } from "./search.ts";

/** Routes of this resource. */
export const searchRoutes = [search] as const;
