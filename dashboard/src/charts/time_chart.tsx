import { Skeleton } from "@mantine/core";
import { useModule } from "../ui/use_module.ts";
import { RestingChart } from "./resting_chart.tsx";
import type { TimeChartProps } from "./series.ts";

/** Figures over time. The drawing library loads with the first chart. */
export function TimeChart(props: TimeChartProps) {
  const panel = useModule("chart_panel", loadPanel);
  if (!props.data) return <Skeleton h={props.height ?? 220} />;
  if (!panel) return <RestingChart {...props} data={props.data} />;
  return <panel.ChartPanel {...props} data={props.data} />;
}

/** Waits for the page's font as well: a canvas does not. */
async function loadPanel() {
  const [panel] = await Promise.all([import("./chart_panel.tsx"), document.fonts.ready]);
  return panel;
}
