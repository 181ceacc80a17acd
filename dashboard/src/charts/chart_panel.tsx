import {
  Box,
  ColorSwatch,
  Flex,
  getThemeColor,
  Group,
  Text,
  useMantineTheme,
  VisuallyHidden,
} from "@mantine/core";
import { Drawing } from "./drawing.tsx";
import type { Bucket, TimeChartProps } from "./series.ts";
import { summarize } from "./summarize.ts";

const legendHeight = 36;

type ChartPanelProps = TimeChartProps & { data: Bucket[] };

export function ChartPanel(props: ChartPanelProps) {
  const { data, series, kind, unit = "", height = 220, hasLegend = series.length > 1 } = props;
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">{summarize(props)}</VisuallyHidden>
      <Flex aria-hidden direction="column" h={height}>
        {hasLegend && <Legend series={series} />}
        <Box pos="relative" flex={1} mih={0}>
          <Drawing data={data} series={series} kind={kind} unit={unit} />
        </Box>
      </Flex>
    </figure>
  );
}

function Legend({ series }: Pick<ChartPanelProps, "series">) {
  const theme = useMantineTheme();
  return (
    <Group mih={legendHeight} pb="xs" justify="flex-end" align="flex-start" gap="4px 16px">
      {series.map(({ name, label, color }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <ColorSwatch size={10} color={getThemeColor(color, theme)} withShadow={false} />
          <Text size="sm">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}
