/** A figure drawn over time. */
export interface Series {
  /** The figure's key in each bucket. */
  name: string;
  label: string;
  color: string;
}

/** The figures of one span of time, which begins at `at`. */
export type Bucket = { at: string } & Record<string, number | string | null>;

export interface TimeChartProps {
  /** Names the chart for screen readers. */
  label: string;
  /** Undefined while it loads. */
  data: Bucket[] | undefined;
  series: Series[];
  kind: "bar" | "line";
  unit?: string;
  height?: number;
  /** Names the series above the plot. @default if there are several */
  hasLegend?: boolean;
}
