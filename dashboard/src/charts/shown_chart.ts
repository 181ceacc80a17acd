import type { Chart } from "chart.js";

/** The parts of a chart that downloads and a new font need. */
export type ShownChart = Pick<Chart, "canvas" | "update">;

/** Receives the chart as long as it is shown. */
export type KeepChart = (chart: ShownChart | null | undefined) => void;
