import { lazy, Suspense } from "react";
import { Skeleton } from "@mantine/core";

const ChartPanel = lazy(() => import("./chart_panel.tsx"));

export interface Series {
  name: string;
  label: string;
  color: string;
}

export interface TimeChartProps {
  /** Says what it shows to those who cannot see it. */
  label: string;
  data: ({ at: string } & Record<string, number | string | null>)[] | undefined;
  series: Series[];
  kind: "area" | "bar" | "line";
  unit?: string;
  height?: number;
}

/** Figures over time; the drawing library is loaded when the first one is shown. */
export function TimeChart(props: TimeChartProps) {
  const placeholder = <Skeleton h={props.height ?? 220} />;
  if (!props.data) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <ChartPanel {...props} data={props.data} />
    </Suspense>
  );
}
