import { Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useReducer } from "react";
import { formatExact, formatRelative } from "../time.ts";

const REDRAW_MS = 20_000;

/** How long ago, or in how long; the exact time on hover. */
export function TimeAgo({ time }: { time: string | null | undefined }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useInterval(redraw, REDRAW_MS, { autoInvoke: true });
  if (!time) return <span>never</span>;
  return (
    <Tooltip label={formatExact(time)}>
      <time dateTime={time} className="tabular" style={{ whiteSpace: "nowrap" }}>
        {formatRelative(time)}
      </time>
    </Tooltip>
  );
}
