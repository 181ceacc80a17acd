import type { Busiest, Outcome } from "./outcome.ts";
import type { Tally } from "./replay.ts";
import { count, line } from "./text.ts";

/** The tally, the outcome and the busiest customer as text for a terminal. */
export function formatReport(
  { tally, outcome, busiest }: { tally: Tally; outcome: Outcome; busiest: Busiest | undefined },
): string {
  return [
    ...formatTally(tally),
    "",
    ...formatOutcome(outcome),
    ...(busiest ? ["", ...formatBusiest(busiest)] : []),
  ].join("\n");
}

function formatTally(tally: Tally): string[] {
  const { requests, bulks, repeated, stored, duplicates, refusals, elapsedMs } = tally;
  const singles = requests - bulks;
  const [p50, p95, p99] = percentiles(tally.latencies, [50, 95, 99]).map((ms) => ms.toFixed(1));
  return [
    "This run",
    line("requests", `${count(requests)} (${count(singles)} single, ${count(bulks)} bulk)`),
    line("sent twice", `${count(repeated)} of them, with the same keys`),
    line("entries", `${count(stored)} stored, ${count(duplicates)} known already`),
    ...refusals.slice(0, 5).map((sentence) => line("refused", sentence)),
    line("took", `${(elapsedMs / 1000).toFixed(1)} s`),
    line("requests/s", count(requests * 1000 / elapsedMs)),
    line("latency", `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`),
  ];
}

function formatOutcome({ events, named, customers, identified, merges }: Outcome): string[] {
  return [
    "In the workspace",
    line("events", `${count(events)}, of which ${count(events - named)} identifies and aliases`),
    line("customers", count(customers)),
    line("identified", count(identified)),
    line("anonymous", count(customers - identified)),
    line("merges", count(merges)),
  ];
}

function formatBusiest({ profile, events, timeline }: Busiest): string[] {
  const { id, external_id, anon_ids, attributes, created_at } = profile;
  const sessions = Array.isArray(anon_ids) ? anon_ids : [];
  return [
    `The busiest customer: ${external_id ?? "anonymous"}, ${count(events)} events`,
    line("customer_id", String(id)),
    line("anon_ids", shorten(sessions.join(", "))),
    line("attributes", JSON.stringify(attributes)),
    line("created_at", String(created_at)),
    `  the latest ${timeline.length} entries of the timeline`,
    ...timeline.map((entry) => {
      const at = entry.occurred_at.toISOString().slice(0, 19).replace("T", " ");
      return `    ${at}  ${(entry.name ?? entry.kind).padEnd(18)} on ${entry.arrived_on}`;
    }),
  ];
}

/** Nearest-rank percentiles of `values`; 0 of none. */
function percentiles(values: number[], ranks: number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return ranks.map((rank) => sorted[Math.ceil(rank / 100 * sorted.length) - 1] ?? 0);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
