import type { ApiInput } from "../../api/api_client.ts";
import type { RejectedEntry } from "../../api/types.ts";

type Code = Extract<NonNullable<ApiInput<"GET /rejected-entries">["query"]>["code"], string>;

/** The kinds of reasons, in words. */
export const codeLabels: Record<Code, string> = {
  invalid_input: "Invalid field",
  not_found: "Unknown ID",
  payload_too_large: "Too large",
  unavailable: "Took too long to store",
  internal_error: "Internal error",
};

/** Outcome of a rejected entry so far. */
export type RejectedStatus = "rejected" | "resent" | "discarded";

export const statusLabels: Record<RejectedStatus, string> = {
  rejected: "Rejected",
  resent: "Resent",
  discarded: "Discarded",
};

/** Returns the status of an entry. An entry that was discarded and then resent is resent. */
export function statusOf({ resent_at, discarded_at }: RejectedEntry): RejectedStatus {
  if (resent_at !== null) return "resent";
  return discarded_at === null ? "rejected" : "discarded";
}

/** The filter of the list that finds the entries of each status. */
export const statusFilters: Record<RejectedStatus, { resent: boolean; discarded?: boolean }> = {
  rejected: { resent: false, discarded: false },
  resent: { resent: true },
  discarded: { resent: false, discarded: true },
};

/** The ways by which entries arrive. */
export const originLabels: Record<RejectedEntry["origin"], string> = {
  track: "Track API",
  segment: "Segment API",
  inbound: "Source",
};
