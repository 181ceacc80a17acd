import { Progress } from "@mantine/core";

interface ShareBarProps {
  /** Names the bar to screen readers. */
  label: string;
  part: number;
  whole: number;
}

/** Percent from which a limit is nearly reached. */
const nearlyAll = 80;
/** Percent that can be seen. */
const leastSeen = 1;

/** A bar for the used share of a limit. Shows nothing while nothing is used. */
export function ShareBar({ label, part, whole }: ShareBarProps) {
  if (part === 0) return null;
  const percent = Math.round(Math.min(100, (part / whole) * 100));
  const color = percent >= 100 ? "red" : percent >= nearlyAll ? "orange" : "signal";
  return (
    <Progress
      size="sm"
      mt={6}
      value={Math.max(leastSeen, percent)}
      color={color}
      aria-label={label}
    />
  );
}
