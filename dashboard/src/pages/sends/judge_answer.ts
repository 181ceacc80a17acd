import type { SendExplanation } from "../../api/types.ts";

type Check = SendExplanation["checks"][number];

/** Checks that nobody has to settle: a message that waits for them is in order. */
const passing: readonly Check["subject"][] = ["quiet_hours", "caps", "step", "exit"];
const waiting: readonly Check["state"][] = ["queued", "sending"];

/** Returns whether a check is a message that waits. */
export function isWaiting({ state }: Check): boolean {
  return waiting.includes(state);
}

/** Returns the color of the answer: that of what became of the newest message. */
export function colorOfAnswer(checks: readonly Check[]): "green" | "blue" | "yellow" {
  const newest = checks.find(({ subject }) => subject === "send");
  const isHeld = checks.some(({ ok, subject }) =>
    !ok && subject !== "send" && !passing.includes(subject)
  );
  if (newest === undefined) return checks.every(({ ok }) => ok) ? "blue" : "yellow";
  if (isWaiting(newest)) return newest.ok && !isHeld ? "blue" : "yellow";
  return newest.ok ? "green" : "yellow";
}
