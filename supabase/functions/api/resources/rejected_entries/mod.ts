import { discardRejectedEntries } from "./discard_rejected_entries.ts";
import { discardRejectedEntry } from "./discard_rejected_entry.ts";
import { exportRejectedEntries } from "./export_rejected_entries.ts";
import { getRejectedEntry } from "./get_rejected_entry.ts";
import { listRejectedEntries } from "./list_rejected_entries.ts";
import { listRejectionReasons } from "./list_rejection_reasons.ts";
import { resendRejectedEntry } from "./resend_rejected_entry.ts";

/** Routes of this resource. */
export const rejectedEntryRoutes = [
  // Before `{id}`, which matches every word.
  exportRejectedEntries,
  listRejectionReasons,
  getRejectedEntry,
  listRejectedEntries,
  resendRejectedEntry,
  discardRejectedEntry,
  discardRejectedEntries,
] as const;
