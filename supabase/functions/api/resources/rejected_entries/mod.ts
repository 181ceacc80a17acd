import { getRejectedEntry } from "./get_rejected_entry.ts";
import { listRejectedEntries } from "./list_rejected_entries.ts";
import { resendRejectedEntry } from "./resend_rejected_entry.ts";

/** Routes of this resource. */
export const rejectedEntryRoutes = [
  getRejectedEntry,
  listRejectedEntries,
  resendRejectedEntry,
] as const;
