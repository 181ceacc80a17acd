import { formatCount } from "../format/numbers.ts";
import type { Bucket, TimeChartProps } from "./series.ts";

type Summarized = Pick<TimeChartProps, "label" | "series" | "kind"> & { data: Bucket[] };

/** Describes a chart in a sentence. */
export function summarize({ label, data, series, kind }: Summarized): string {
  // Lines show values at a time, which cannot be added up.
  if (kind === "line") return `${label} over time`;
  const totals = series.map(({ name, label }) => {
    const total = data.reduce((sum, bucket) => sum + Number(bucket[name] ?? 0), 0);
    return `${label} ${formatCount(total)} in total`;
  });
  return `${label}: ${totals.join(", ")}`;
}
