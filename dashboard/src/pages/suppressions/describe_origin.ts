import type { Suppression } from "../../api/types.ts";

export const reasonLabels: Record<Suppression["reason"], string> = {
  manual: "Added manually",
  import: "Imported",
  hard_bounce: "Hard bounce",
  soft_bounces: "Soft bounces",
  complaint: "Complaint",
};

const sourceTexts: Record<Suppression["source"], string> = {
  api: "Added through the API",
  import: "From an import",
  event: "From an event",
  feedback: "Reported by the provider",
};

/** Says where a suppression came from; null if its reason says so. */
export function describeOrigin(
  { reason, source }: Pick<Suppression, "reason" | "source">,
): string | null {
  const isSaid = (reason === "manual" && source === "api") || reason === source;
  return isSaid ? null : sourceTexts[source];
}
