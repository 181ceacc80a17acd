import { listSessions } from "./list_sessions.ts";

/** Routes of this resource. */
export const sessionRoutes = [
  listSessions,
] as const;
