import { Box, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { type ReactNode, useRef } from "react";
import { LoadingDrawing } from "../ui/loading_drawing.tsx";
import { type Picture, toCsv } from "./picture.ts";
import { measureFlow } from "./flow_size.ts";
import { PictureTable } from "./picture_table.tsx";
import type { ShownChart } from "./shown_chart.ts";
import { usePassage } from "./use_passage.ts";
import { usePicturePanel } from "./use_picture_panel.ts";

interface PictureCardProps {
  picture: Picture;
  /** Stands beside the title. */
  note?: ReactNode;
  /** Stands below the chart: what it counts. */
  explanation: string;
  /** True while newer numbers load. */
  isOld: boolean;
}

const usualHeight = 320;

/** A chart, downloads of it, and the table that says the same. */
export function PictureCard({ picture, note, explanation, isOld }: PictureCardProps) {
  const panel = usePicturePanel();
  const chart = useRef<ShownChart>(null);
  const passage = usePassage(picture.flow);
  const { width, height } = picture.flow
    ? measureFlow(picture.flow)
    : { width: 0, height: usualHeight };
  return (
    <Stack aria-busy={isOld}>
      <Paper p="md">
        <Group justify="space-between" align="flex-start" mb="md">
          <div style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Title order={2} size="h5" dir="auto" className="break-anywhere">
                {picture.title}
              </Title>
              {note}
              {isOld && <Loader size={16} role="progressbar" aria-label="Loading" />}
            </Group>
            {picture.answer && (
              <Text fz={22} fw={650} mt={4} className="tabular">{picture.answer}</Text>
            )}
          </div>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<DownloadIcon />}
              onClick={() => chart.current && savePng(chart.current, picture.title)}
            >
              PNG
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<DownloadIcon />}
              onClick={() => saveCsv(picture)}
            >
              CSV
            </Button>
          </Group>
        </Group>
        {/* The table below says the same. */}
        <Box style={{ overflowX: "auto" }} aria-hidden>
          <Box pos="relative" h={height} miw={width}>
            {panel
              ? <panel.PicturePanel picture={picture} chart={chart} passage={passage} />
              : <LoadingDrawing height={height} figures="The table below has the same figures." />}
          </Box>
        </Box>
        <Text size="sm" c="dimmed" mt="sm" dir="auto" className="break-anywhere">
          {explanation}
        </Text>
      </Paper>
      <PictureTable picture={picture} passage={passage} />
    </Stack>
  );
}

function saveCsv(picture: Picture): void {
  // The mark lets spreadsheets recognize UTF-8.
  save(
    new Blob(["\ufeff", toCsv(picture)], { type: "text/csv" }),
    `${fileName(picture.title)}.csv`,
  );
}

/** Saves the chart on the page's own background, which the canvas does not have. */
function savePng({ canvas }: ShownChart, title: string): void {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (context === null) return;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => blob && save(blob, `${fileName(title)}.png`));
}

function fileName(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "").toLowerCase();
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
