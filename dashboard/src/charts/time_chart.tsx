import { Skeleton } from "@mantine/core";
import { useModule } from "../components/use_module.ts";

export interface Series {
  name: string;
  label: string;
  color: string;
}

/** The figures of a span of time, which begins at `at`. */
export type Bucket = { at: string } & Record<string, number | string | null>;

export interface TimeChartProps {
  /** Says what it shows to those who cannot see it. */
  label: string;
  data: Bucket[] | undefined;
  series: Series[];
  kind: "area" | "bar" | "line";
  unit?: string;
  height?: number;
}

/** Figures over time; the drawing library is loaded when the first one is shown. */
export function TimeChart(props: TimeChartProps) {
  const panel = useModule("chart_panel", loadPanel);
  if (!props.data || !panel) return <Skeleton h={props.height ?? 220} />;
  return <panel.ChartPanel {...props} data={props.data} />;
}

/** With the page's font, which a canvas does not wait for. */
async function loadPanel() {
  const [panel] = await Promise.all([import("./chart_panel.tsx"), document.fonts.ready]);
  return panel;
}
