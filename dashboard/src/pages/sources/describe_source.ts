import type { Source } from "../../api/types.ts";
import { formatCount } from "../../format/numbers.ts";

/** Returns whether nothing says how to read the source's payloads. */
export function lacksMapping({ preset, mapping }: Pick<Source, "preset" | "mapping">): boolean {
  return preset === null && mapping === null;
}

type Described = Pick<Source, "enabled" | "has_secret" | "preset" | "mapping" | "health">;

/** Names the state of a source, with the few problems of one that is healthy. */
export function describeSource(
  source: Described,
): { label: string; color: string; note?: string | undefined } {
  const { enabled, has_secret, health } = source;
  if (!enabled) return { label: "Disabled", color: "gray" };
  if (!has_secret) return { label: "Secret missing", color: "orange" };
  if (lacksMapping(source)) return { label: "Mapping missing", color: "orange" };
  if (!health.last_received_at) return { label: "Nothing received", color: "gray" };
  const problem = findProblem(health);
  if (problem === "refused") return { label: "Requests refused", color: "red" };
  if (problem === "rejected") return { label: "Entries rejected", color: "red" };
  return { label: "Healthy", color: "green", note: countProblems(health) };
}

/** Returns the next step for a source that does not store everything. */
export function describeNextStep(source: Described): string | null {
  const { enabled, has_secret, health } = source;
  if (!enabled) return "Requests get 404 until you enable it.";
  if (!has_secret) return "Set the sender’s secret. Requests are refused until then.";
  if (lacksMapping(source)) return "Choose a preset or save a mapping.";
  if (!health.last_received_at) return "Enter its URL at the sender and send a test.";
  const problem = findProblem(health);
  if (problem === "refused") return "Compare the secret with the sender’s.";
  return problem === "rejected" ? "Fix the mapping, then resend what was rejected." : null;
}

/** Finds the problem of at least half of the last day's requests: the more frequent kind. */
function findProblem(
  { received_24h, rejected_24h, refused_24h }: Source["health"],
): "refused" | "rejected" | undefined {
  const problems = rejected_24h + refused_24h;
  if (problems === 0 || problems * 2 < received_24h) return undefined;
  return refused_24h >= rejected_24h ? "refused" : "rejected";
}

function countProblems({ rejected_24h, refused_24h }: Source["health"]): string | undefined {
  const counts = Object.entries({ refused: refused_24h, rejected: rejected_24h });
  const texts = counts.filter(([, count]) => count > 0)
    .map(([name, count]) => `${formatCount(count)} ${name}`);
  return texts.length > 0 ? `${texts.join(", ")} in 24 h` : undefined;
}
