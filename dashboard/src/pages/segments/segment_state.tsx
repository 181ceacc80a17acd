import { Badge } from "@mantine/core";
import type { Segment } from "../../api/types.ts";
import { formatShare } from "../../format/numbers.ts";

/** Ready, or the share of the computation that is done. */
export function SegmentState({ segment: { state, progress } }: { segment: Segment }) {
  if (state === "ready") return <Badge color="green">Ready</Badge>;
  return <Badge color="yellow">Computing {formatShare(progress, 1)}</Badge>;
}
