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

/** The ways by which entries arrive. */
export const originLabels: Record<RejectedEntry["origin"], string> = {
  track: "Track API",
  segment: "Segment API",
  inbound: "Source",
};
