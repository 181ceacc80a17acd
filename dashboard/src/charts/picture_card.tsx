import {
  Anchor,
  Box,
  Button,
  Group,
  Loader,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { type ReactNode, useRef } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { formatDecimal } from "../format/numbers.ts";
import { linkTo } from "../ui/link_to.ts";
import { LoadingDrawing } from "../ui/loading_drawing.tsx";
import { type Cell, type CellLink, type Picture, toCsv } from "./picture.ts";
import { measureFlow } from "./flow_size.ts";
import type { ShownChart } from "./shown_chart.ts";
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
/** Most columns with wide gaps beside each other. */
const mostRoomy = 8;

/** A chart, downloads of it, and the table that says the same. */
export function PictureCard({ picture, note, explanation, isOld }: PictureCardProps) {
  const panel = usePicturePanel();
  const chart = useRef<ShownChart>(null);
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
              ? <panel.PicturePanel picture={picture} chart={chart} />
              : <LoadingDrawing height={height} figures="The table below has the same figures." />}
          </Box>
        </Box>
        <Text size="sm" c="dimmed" mt="sm" dir="auto" className="break-anywhere">
          {explanation}
        </Text>
      </Paper>
      <PictureTable picture={picture} />
    </Stack>
  );
}

function PictureTable({ picture }: { picture: Picture }) {
  const { title, columns, rows, nameColumns = 1, hasTotals, shades, decimals, links } = picture;
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Box mah={420} style={{ overflow: "auto" }} tabIndex={0} role="region" aria-label={title}>
        <Table
          aria-label={title}
          stickyHeader
          horizontalSpacing={columns.length > mostRoomy ? 8 : "md"}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                <Table.Th
                  key={index}
                  scope="col"
                  ta={index < nameColumns ? undefined : "right"}
                  dir="auto"
                  style={{ whiteSpace: "nowrap", ...edge(index, columns.length) }}
                >
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              <Table.Tr key={index} fw={hasTotals && index === 0 ? 600 : undefined}>
                {row.map((cell, column) => (
                  <Table.Td
                    key={column}
                    ta={column < nameColumns ? undefined : "right"}
                    className="tabular"
                    // Zeros are quiet, so that the other numbers stand out.
                    c={cell === 0 || cell === null ? "dimmed" : undefined}
                    dir="auto"
                    style={{ ...edge(column, row.length), ...shade(shades?.[index]?.[column]) }}
                  >
                    <LinkedCell link={links?.[index]?.[column]}>
                      {show(cell, decimals)}
                    </LinkedCell>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Paper>
  );
}

function LinkedCell({ link, children }: { link: CellLink | undefined; children: string }) {
  const { id } = useWorkspace();
  if (link === undefined) return children;
  return (
    <Anchor {...linkTo(`/w/${id}${link.path}`, link.search)} inherit title={link.title}>
      {children}
    </Anchor>
  );
}

/** The margin of other tables at both sides, also where columns stand close. */
function edge(column: number, columns: number) {
  return {
    ...column === 0 && { paddingInlineStart: "var(--mantine-spacing-md)" },
    ...column === columns - 1 && { paddingInlineEnd: "var(--mantine-spacing-md)" },
  };
}

/** The strongest shade: text on it has more than 4.5:1 in light and in dark. */
const mostShade = 45;

function shade(strength = 0) {
  if (strength === 0) return undefined;
  const share = Number((strength * mostShade).toFixed(1));
  return {
    backgroundColor: `color-mix(in srgb, var(--mantine-color-signal-6) ${share}%, transparent)`,
  };
}

function show(cell: Cell, decimals = 0): string {
  if (typeof cell !== "number") return cell ?? "–";
  return formatDecimal(cell, { least: decimals, most: decimals });
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
