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
import { footHeight, headingHeight, measureFlow } from "./flow_size.ts";
import type { Flow } from "./picture.ts";
import type { KeepChart } from "./shown_chart.ts";
import { describeTooltip, readVariable } from "./tooltip.ts";

Chart.register(LinearScale, SankeyController, Stream, Tooltip);

interface FlowPanelProps {
  flow: Flow;
  /** Receives the chart, for downloads. */
  keep: KeepChart;
}

/** Draws streams between places, as wide as their counts. */
export function FlowPanel({ flow, keep }: FlowPanelProps) {
  const theme = useMantineTheme();
  // Redraws in the new colours: a canvas does not follow style sheets.
  useComputedColorScheme();
  return (
    <Canvas
      // The library keeps the plugins that a chart began with.
      key={flow.headings.join()}
      ref={keep}
      type="sankey"
      data={{ datasets: [drawFlow(flow, theme)] }}
      options={describe(flow)}
      plugins={[nameColumns(flow)]}
    />
  );
}

const background = "--mantine-color-body";

function drawFlow(flow: Flow, theme: MantineTheme) {
  const { places, streams, headings } = flow;
  const colors = new Map(places.map(({ key, color }) => [
    key,
    parseThemeColor({ color, theme }).value,
  ]));
  const colorOf = (key: string) => colors.get(key) ?? "";
  const last = headings.length - 1;
  const all = places.find(({ column }) => column === 0)?.count ?? 0;
  const lastKeys = new Set(places.filter(({ column }) => column === last).map(({ key }) => key));
  return {
    data: streams.map(({ from, to, count }) => ({ from, to, flow: count })),
    parsing: { from: "from", to: "to", flow: "flow" },
    colorFrom: ({ raw }: { raw: unknown }) => colorOf((raw as { from: string }).from),
    colorTo: ({ raw }: { raw: unknown }) => colorOf((raw as { to: string }).to),
    alpha: 0.3,
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
    nodeWidth: 8,
  };
}

function describe({ places }: Flow): ChartOptions<"sankey"> {
  const names = new Map(places.map(({ key, label }) => [key, label]));
  return {
    animation: false,
    maintainAspectRatio: false,
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
