import {
  type MantineTheme,
  parseThemeColor,
  useComputedColorScheme,
  useMantineTheme,
} from "@mantine/core";
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartDataset,
  type ChartOptions,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";
import { useRef } from "react";
import { Chart as Canvas } from "react-chartjs-2";
import { formatCount } from "../format/numbers.ts";
import { useZone } from "../format/use_zone.ts";
import { fontFamily } from "../theme/theme.ts";
import { isUnfinished, labelBuckets } from "./buckets.ts";
import type { Bucket, Series, TimeChartProps } from "./series.ts";
import { describeTooltip, readVariable } from "./tooltip.ts";
import { useFontRedraw } from "./use_font_redraw.ts";

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);
Chart.defaults.font.family = fontFamily;

type Kind = TimeChartProps["kind"];

interface DrawingProps extends Required<Pick<TimeChartProps, "series" | "kind" | "unit">> {
  data: Bucket[];
}

/** Fills the element around it. */
export function Drawing({ data, series, kind, unit }: DrawingProps) {
  const theme = useMantineTheme();
  const zone = useZone();
  // Redraws in the new colours: a canvas does not follow style sheets.
  useComputedColorScheme();
  const chart = useRef<Chart<"bar" | "line">>(null);
  useFontRedraw(chart);
  return (
    <Canvas
      ref={chart}
      type={kind === "bar" ? "bar" : "line"}
      data={{
        labels: labelBuckets(data, zone),
        datasets: series.map((each) => draw(each, { data, kind, theme })),
      }}
      options={describe({ kind, unit })}
    />
  );
}

interface Look {
  kind: Kind;
  theme: MantineTheme;
}

const unfinishedOpacity = "80";

function draw(
  { name, label, color }: Series,
  { data, kind, theme }: Look & { data: Bucket[] },
): ChartDataset<"bar" | "line"> {
  const hex = parseThemeColor({ color, theme }).value;
  const shared = { label, data: data.map((bucket) => bucket[name] as number | null) };
  if (kind === "bar") {
    // The last bucket may still grow.
    const fill = data.map(({ at }) => isUnfinished(at, data) ? `${hex}${unfinishedOpacity}` : hex);
    return { ...shared, type: "bar", backgroundColor: fill, hoverBackgroundColor: fill };
  }
  return {
    ...shared,
    type: "line",
    borderColor: hex,
    borderWidth: 2,
    cubicInterpolationMode: "monotone",
    spanGaps: true,
    pointBackgroundColor: hex,
    pointHoverBackgroundColor: hex,
    pointHoverBorderColor: hex,
    pointRadius: 2.5,
  };
}

function describe(
  { kind, unit }: Pick<DrawingProps, "kind" | "unit">,
): ChartOptions<"bar" | "line"> {
  const format = (value: number | null) => `${formatCount(value ?? 0)}${unit}`;
  const stacked = kind === "bar";
  const border = { display: false };
  const ticks = { color: readVariable("--mantine-color-dimmed") };
  const line = readVariable("--mantine-color-default-border");
  return {
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false },
    scales: {
      x: {
        stacked,
        border,
        grid: { display: false },
        ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 48 },
      },
      y: {
        stacked,
        border,
        beginAtZero: true,
        grid: { color: line },
        ticks: {
          ...ticks,
          precision: 0,
          maxTicksLimit: 6,
          callback: (value) => format(Number(value)),
        },
      },
    },
    plugins: {
      tooltip: {
        ...describeTooltip(),
        boxPadding: 4,
        boxWidth: 8,
        boxHeight: 8,
        usePointStyle: true,
        callbacks: {
          label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y)}`,
        },
      },
    },
  };
}
