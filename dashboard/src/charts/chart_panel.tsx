import "@mantine/charts/styles.css";
import { AreaChart, BarChart, LineChart } from "@mantine/charts";
import {
  ColorSwatch,
  getThemeColor,
  Group,
  Text,
  useMantineTheme,
  VisuallyHidden,
} from "@mantine/core";
import dayjs from "dayjs";
import { formatCount } from "../numbers.ts";
import type { TimeChartProps } from "./time_chart.tsx";

const LEGEND_HEIGHT = 36;

type ChartPanelProps = TimeChartProps & { data: NonNullable<TimeChartProps["data"]> };

export function ChartPanel(props: ChartPanelProps) {
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">{summarize(props)}</VisuallyHidden>
      <div aria-hidden>
        {props.series.length > 1 && <Legend series={props.series} />}
        <Drawing {...props} />
      </div>
    </figure>
  );
}

/** Beside the drawing, which would measure a legend of its own and then draw everything again. */
function Legend({ series }: Pick<ChartPanelProps, "series">) {
  const theme = useMantineTheme();
  return (
    <Group h={LEGEND_HEIGHT} justify="flex-end" align="flex-start">
      {series.map(({ name, label, color }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <ColorSwatch size={10} color={getThemeColor(color, theme)} withShadow={false} />
          <Text size="sm">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}

function Drawing({ data, series, kind, unit = "", height = 220 }: ChartPanelProps) {
  const format = pickFormat(data);
  const shared = {
    h: series.length > 1 ? height - LEGEND_HEIGHT : height,
    data: data.map((bucket) => ({ ...bucket, at: dayjs(bucket.at).format(format) })),
    dataKey: "at",
    series,
    gridAxis: "x",
    tickLine: "none",
    valueFormatter: (value: number) => `${formatCount(value)}${unit}`,
    xAxisProps: { minTickGap: 48 },
    yAxisProps: { width: unit ? 72 : 52, allowDecimals: false },
  } as const;
  // What is hidden from screen readers must not take the focus either.
  const still = { accessibilityLayer: false };
  if (kind === "bar") return <BarChart {...shared} type="stacked" barChartProps={still} />;
  const curve = { curveType: "monotone", withDots: false, strokeWidth: 2 } as const;
  if (kind === "line") {
    return <LineChart {...shared} {...curve} withDots connectNulls lineChartProps={still} />;
  }
  return <AreaChart {...shared} {...curve} fillOpacity={0.18} areaChartProps={still} />;
}

const HOUR_MS = 3_600_000;
const LONGEST_BY_SECOND_MS = 2 * HOUR_MS;
const LONGEST_BY_HOUR_MS = 96 * HOUR_MS;

/** As exact as the span that is shown makes useful. */
function pickFormat(data: ChartPanelProps["data"]): string {
  const spanMs = Date.parse(data.at(-1)?.at ?? "") - Date.parse(data[0]?.at ?? "");
  if (spanMs < LONGEST_BY_SECOND_MS) return "HH:mm:ss";
  return spanMs < LONGEST_BY_HOUR_MS ? "D MMM HH:mm" : "D MMM";
}

function summarize({ label, data, series, unit }: ChartPanelProps): string {
  // Only counts add up to something.
  if (unit) return `${label} over time`;
  const totals = series.map(({ name, label }) => {
    const total = data.reduce((sum, bucket) => sum + Number(bucket[name] ?? 0), 0);
    return `${label} ${formatCount(total)} in all`;
  });
  return `${label}: ${totals.join(", ")}`;
}
