import { createSend } from "./create_send.ts";
import { explainSends } from "./explain_sends.ts";
import { exportSends } from "./export_sends.ts";
import { getSend } from "./get_send.ts";
import { listSends } from "./list_sends.ts";

/** Routes of this resource. */
export const sendRoutes = [
  // Before `{id}`, which matches every word.
  exportSends,
  createSend,
  // Before `{id}`, which matches every word.
  explainSends,
  getSend,
  listSends,
] as const;
