export { outboundLimits } from "../../_shared/outbound/limits.ts";

/** Days for which each kind of record is kept. The schema deletes them; a test compares. */
export const retentionDays = {
  deliveries: 30,
  receipts: 30,
  rejectedEntries: 7,
  /** Time after which an unanswered invitation ends. */
  invitations: 30,
} as const;
