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
  type ChartOptions,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";
import { type RefObject, useCallback, useRef, useState } from "react";
import { Chart as Canvas } from "react-chartjs-2";
import { formatDecimal } from "../format/numbers.ts";
import { fontFamily } from "../theme/theme.ts";
import { FlowPanel } from "./flow_panel.tsx";
import type { KeepChart, ShownChart } from "./shown_chart.ts";
import { type Picture, pictureColors } from "./picture.ts";
import { describeTooltip, readVariable } from "./tooltip.ts";
import type { ShownPassage } from "./use_passage.ts";
import { writeOnBars } from "./write_on_bars.ts";
import { useFontRedraw } from "./use_font_redraw.ts";

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);
Chart.defaults.font.family = fontFamily;

interface PicturePanelProps {
  picture: Picture;
  /** Receives the chart, for downloads. */
  chart: RefObject<ShownChart | null>;
  /** The paths of a flow that stand out. */
  passage?: ShownPassage;
}

/** Draws a picture, and fills the element around it. */
export function PicturePanel({ picture, chart, passage }: PicturePanelProps) {
  useFontRedraw(chart);
  const keep: KeepChart = useCallback((shown) => {
    chart.current = shown ?? null;
  }, [chart]);
  return picture.flow && passage
    ? <FlowPanel flow={picture.flow} {...{ keep, passage }} />
    : <SeriesPanel picture={picture} keep={keep} />;
}

interface SeriesPanelProps {
  picture: Picture;
  keep: KeepChart;
}

function SeriesPanel({ picture, keep }: SeriesPanelProps) {
  const theme = useMantineTheme();
  // Redraws in the new colours: a canvas does not follow style sheets.
  useComputedColorScheme();
  // A chart keeps the plugins that it was made with.
  const barTexts = useRef(picture.barTexts);
  barTexts.current = picture.barTexts;
  const [plugins] = useState(() => [writeOnBars(barTexts)]);
  return (
    <Canvas
      ref={keep}
      type={picture.kind}
      data={{ labels: picture.labels, datasets: drawSeries(picture, theme) }}
      options={describe(picture)}
      plugins={plugins}
    />
  );
}

/** A pale bar, or a dashed line, has not ended. */
const unfinished = { opacity: "80", dash: [5, 4] };

function drawSeries({ series, kind, isUnfinished = false }: Picture, theme: MantineTheme) {
  return series.map(({ label, data }, index) => {
    const color = pictureColors[index % pictureColors.length]!;
    const hex = parseThemeColor({ color, theme }).value;
    const isPale = (place: number) => isUnfinished && place === data.length - 1;
    const fills = data.map((_, place) => isPale(place) ? `${hex}${unfinished.opacity}` : hex);
    const shared = { label, data, borderColor: hex };
    if (kind === "bar") {
      const fill = isUnfinished ? fills : hex;
      return { ...shared, type: kind, backgroundColor: fill, borderWidth: 0 };
    }
    const borderDash = ({ p1DataIndex }: { p1DataIndex: number }) =>
      isPale(p1DataIndex) ? unfinished.dash : undefined;
    return {
      ...shared,
      type: kind,
      backgroundColor: hex,
      borderWidth: 2,
      segment: { borderDash },
    };
  });
}

function describe(picture: Picture): ChartOptions<"bar" | "line"> {
  const { series, isStacked = false, isHorizontal = false, unit = "", most } = picture;
  // Shares have one decimal at most.
  const { decimals = unit === "%" ? 1 : 0 } = picture;
  const least = picture.decimals ?? 0;
  const text = readVariable("--mantine-color-text");
  const ticks = { color: readVariable("--mantine-color-dimmed") };
  const line = readVariable("--mantine-color-default-border");
  const format = (value: number) => `${formatDecimal(value, { least, most: decimals })}${unit}`;
  const formatTick = (value: number) =>
    `${formatDecimal(value, { least: 0, most: decimals })}${unit}`;
  const numbers = {
    stacked: isStacked,
    beginAtZero: true,
    ...most !== undefined && { max: most },
    border: { display: false },
    grid: { color: line },
    ticks: {
      ...ticks,
      ...decimals === 0 && { precision: 0 },
      maxTicksLimit: 6,
      callback: (value: number | string) => formatTick(Number(value)),
    },
  };
  const names = {
    stacked: isStacked,
    border: { display: false },
    grid: { display: false },
    ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 24 },
  };
  return {
    animation: false,
    maintainAspectRatio: false,
    indexAxis: isHorizontal ? "y" : "x",
    interaction: { mode: "index", intersect: false, axis: isHorizontal ? "y" : "x" },
    scales: isHorizontal ? { x: numbers, y: names } : { x: names, y: numbers },
    plugins: {
      legend: {
        display: series.length > 1,
        position: "bottom",
        labels: { color: text, boxWidth: 10, boxHeight: 10 },
      },
      tooltip: {
        ...describeTooltip(),
        callbacks: {
          label: ({ dataset, parsed }) => {
            const value = isHorizontal ? parsed.x : parsed.y;
            return `${dataset.label}: ${value === null ? "–" : format(value)}`;
          },
        },
      },
    },
  };
}
