import { getThemeColor, Stack, Text, useMantineTheme } from "@mantine/core";
import { useZone } from "../format/use_zone.ts";
import { labelBuckets } from "./buckets.ts";
import type { Bucket, TimeChartProps } from "./series.ts";
import { summarize } from "./summarize.ts";

type RestingChartProps = TimeChartProps & { data: Bucket[] };

const captionHeight = 52;
const numberOf = (bucket: Bucket, name: string) => Number(bucket[name] ?? 0);

/** Bars of the figures and their sums, until the drawing library is there. */
export function RestingChart(props: RestingChartProps) {
  const { data, series, height = 220 } = props;
  const theme = useMantineTheme();
  const labels = labelBuckets(data, useZone());
  const most = Math.max(1, ...data.map((bucket) => sum(bucket, series)));
  return (
    <Stack component="figure" gap={4} m={0} h={height}>
      <svg
        width="100%"
        height={height - captionHeight}
        viewBox={`0 0 ${data.length} ${most}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {data.flatMap((bucket, n) =>
          series.map(({ name, color }, place) => (
            <rect
              key={`${n} ${name}`}
              x={n + 0.1}
              y={most - sum(bucket, series.slice(0, place + 1))}
              width={0.8}
              height={numberOf(bucket, name)}
              fill={getThemeColor(color, theme)}
            />
          ))
        )}
      </svg>
      <Text size="sm" c="dimmed" component="figcaption">
        {summarize(props)}. From {labels[0]} to {labels.at(-1)}.
      </Text>
    </Stack>
  );
}

function sum(bucket: Bucket, series: RestingChartProps["series"]): number {
  return series.reduce((all, { name }) => all + numberOf(bucket, name), 0);
}
