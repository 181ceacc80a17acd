import type { SenderStats } from "../../api/types.ts";
import type { Series } from "../../charts/series.ts";

type Totals = SenderStats["totals"];

const outcomes: readonly (Series & { name: keyof Totals })[] = [
  { name: "sent", label: "Sent", color: "teal.6" },
  { name: "failed", label: "Failed", color: "red.6" },
  { name: "skipped", label: "Skipped", color: "gray.5" },
  { name: "unknown", label: "Unknown outcome", color: "orange.6" },
  { name: "retried", label: "Failed, will be retried", color: "yellow.5" },
];

const reports: readonly (Series & { name: keyof Totals })[] = [
  { name: "bounced", label: "Bounced", color: "orange.6" },
  { name: "complained", label: "Complained", color: "red.6" },
];

/** Picks what was reported about messages that were sent: those kinds that occur. */
export function pickReports(totals: Totals): Series[] {
  return reports.filter(({ name }) => totals[name] > 0);
}

/** Picks the outcomes to draw: "sent", and those that occur. */
export function pickOutcomes(totals: Totals | undefined): Series[] {
  return outcomes.filter(({ name }) => name === "sent" || (totals?.[name] ?? 0) > 0);
}
