/** The fields of a run that decide its state. */
interface ShownRun {
  state: "active" | "ended";
  wake_at: string | null;
  reason: string | null;
}

/** Time after which a run that should have moved counts as stuck. */
const stuckAfterMs = 2 * 60_000;

interface StateOptions {
  /** True in a paused journey, where nobody is stuck. */
  isPaused?: boolean;
  now?: number;
}

/** Names the reason why runs ended. */
export function nameEnd(reason: string): string {
  return reason === "deleted" ? "erased" : reason.replaceAll("_", " ");
}

/** Names the state of a run, with its colour. A run that should have moved is stuck. */
export function runState(
  { state, wake_at, reason }: ShownRun,
  { isPaused = false, now = Date.now() }: StateOptions = {},
): { label: string; color: string } {
  if (state === "active") {
    const isStuck = !isPaused && wake_at !== null && Date.parse(wake_at) < now - stuckAfterMs;
    return isStuck ? { label: "Stuck", color: "red" } : { label: "Inside", color: "teal" };
  }
  const text = nameEnd(reason ?? "completed");
  const label = `${text[0]!.toUpperCase()}${text.slice(1)}`;
  return { label, color: reason === "failed" ? "red" : reason === "goal" ? "green" : "gray" };
}
