import {
  type MantineTheme,
  parseThemeColor,
  useComputedColorScheme,
  useMantineTheme,
} from "@mantine/core";
import { Chart, type ChartOptions, LinearScale, type Plugin, Tooltip } from "chart.js";
import { Flow as Stream, SankeyController } from "chartjs-chart-sankey";
import { Chart as Canvas } from "react-chartjs-2";
import { formatCount, formatShare, formatWhole } from "../format/numbers.ts";
import { useRef } from "react";
import type { Passage } from "./find_path.ts";
import { footHeight, headingHeight, measureFlow } from "./flow_size.ts";
import type { Flow } from "./picture.ts";
import type { KeepChart } from "./shown_chart.ts";
import { describeTooltip, readVariable } from "./tooltip.ts";
import type { ShownPassage } from "./use_passage.ts";

Chart.register(LinearScale, SankeyController, Stream, Tooltip);

interface FlowPanelProps {
  flow: Flow;
  /** Receives the chart, for downloads. */
  keep: KeepChart;
  /** The paths that stand out. */
  passage: ShownPassage;
}

/** Draws streams between places, as wide as their counts. */
export function FlowPanel({ flow, keep, passage }: FlowPanelProps) {
  const { path, setPassing } = passage;
  const theme = useMantineTheme();
  const shown = useRef<Passage>(undefined);
  const hover = (next: Passage | undefined) => {
    if (next?.from === shown.current?.from && next?.to === shown.current?.to) return;
    shown.current = next;
    setPassing(next);
  };
  // Redraws in the new colours: a canvas does not follow style sheets.
  useComputedColorScheme();
  return (
    <Canvas
      // The library keeps the plugins that a chart began with.
      key={flow.headings.join()}
      ref={keep}
      type="sankey"
      data={{ datasets: [drawFlow(flow, { theme, path })] }}
      options={describe(flow, hover)}
      onMouseLeave={() => hover(undefined)}
      plugins={[nameColumns(flow)]}
    />
  );
}

const background = "--mantine-color-body";

/** Of streams: as they are, on a path that stands out, and beside it. */
const alphas = { usual: 0.3, on: 0.55, beside: 0.08 };

interface FlowStyle {
  theme: MantineTheme;
  path: ReadonlySet<number> | undefined;
}

function drawFlow(flow: Flow, { theme, path }: FlowStyle) {
  const { places, streams, headings } = flow;
  const colors = new Map(places.map(({ key, color }) => [
    key,
    parseThemeColor({ color, theme }).value,
  ]));
  const alphaOf = ({ dataIndex }: { dataIndex: number }) =>
    path === undefined ? alphas.usual : path.has(dataIndex) ? alphas.on : alphas.beside;
  const colorOf = (key: string) => colors.get(key) ?? "";
  const last = headings.length - 1;
  const all = places.find(({ column }) => column === 0)?.count ?? 0;
  const lastKeys = new Set(places.filter(({ column }) => column === last).map(({ key }) => key));
  return {
    data: streams.map(({ from, to, count }) => ({ from, to, flow: count })),
    parsing: { from: "from", to: "to", flow: "flow" },
    colorFrom: ({ raw }: { raw: unknown }) => colorOf((raw as { from: string }).from),
    colorTo: ({ raw }: { raw: unknown }) => colorOf((raw as { to: string }).to),
    // The library takes a function as well.
    alpha: alphaOf as unknown as number,
    borderWidth: 0,
    color: readVariable("--mantine-color-text"),
    column: Object.fromEntries(places.map(({ key, column }) => [key, column])),
    labels: Object.fromEntries(
      places.map(({ key, label, count }) => [
        key,
        `${label}\n${formatCount(count)} · ${formatShare(count, all)}`,
      ]),
    ),
    nodeLabels: {
      // Streams run below the texts.
      backgroundColor: `color-mix(in srgb, ${readVariable(background)} 80%, transparent)`,
      borderRadius: 4,
      padding: 2,
      position: ({ key }: { key: string }) =>
        lastKeys.has(key) ? "left" as const : "right" as const,
    },
    nodeMinSize: 3,
    nodePadding: measureFlow(flow).padding,
    nodeWidth,
  };
}

/** Width of a place, in pixels. */
const nodeWidth = 8;

interface DrawnStream {
  x: number;
  y: number;
  x2: number;
  y2: number;
  height: number;
}

/** Returns the place or the stream at a point of the chart. */
function findPassage(
  { streams }: Flow,
  { chart, x, y }: { chart: Chart; x: number; y: number },
): Passage | undefined {
  const drawn = chart.getDatasetMeta(0).data as unknown as DrawnStream[];
  for (const [index, stream] of drawn.entries()) {
    const { from, to } = streams[index] ?? {};
    if (from === undefined || to === undefined) continue;
    const isBeside = (top: number) => y >= top && y <= top + stream.height;
    if (x >= stream.x - nodeWidth && x < stream.x && isBeside(stream.y)) return { from, to: from };
    if (x > stream.x2 && x <= stream.x2 + nodeWidth && isBeside(stream.y2)) return { from: to, to };
    if ((stream as unknown as Stream).inRange(x, y, true)) return { from, to };
  }
  return undefined;
}

function describe(
  flow: Flow,
  hover: (passage: Passage | undefined) => void,
): ChartOptions<"sankey"> {
  const { places } = flow;
  const names = new Map(places.map(({ key, label }) => [key, label]));
  return {
    animation: false,
    maintainAspectRatio: false,
    onHover: ({ x, y }, _, chart) => {
      if (x !== null && y !== null) hover(findPassage(flow, { chart, x, y }));
    },
    layout: { padding: { top: headingHeight, bottom: footHeight, left: 2, right: 2 } },
    plugins: {
      tooltip: {
        ...describeTooltip(),
        displayColors: false,
        callbacks: {
          label: ({ raw }) => {
            const { from, to, flow } = raw as { from: string; to: string; flow: number };
            return `${names.get(from)} → ${names.get(to)}: ${formatWhole(flow)}`;
          },
        },
      },
    },
  };
}

/** Writes the headings above the columns. */
function nameColumns({ headings }: Flow): Plugin<"sankey"> {
  return {
    id: "headings",
    afterDraw({ ctx, chartArea: { left, right } }) {
      ctx.save();
      ctx.font = `12px ${Chart.defaults.font.family}`;
      ctx.fillStyle = readVariable("--mantine-color-dimmed");
      ctx.textBaseline = "top";
      headings.forEach((heading, column) => {
        const isLast = column === headings.length - 1;
        ctx.textAlign = isLast ? "right" : "left";
        ctx.fillText(heading, left + (right - left) * column / (headings.length - 1), 2);
      });
      ctx.restore();
    },
  };
}
