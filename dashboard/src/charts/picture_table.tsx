import { Anchor, Box, Paper, Table, UnstyledButton } from "@mantine/core";
import { useWorkspace } from "../api/workspace.ts";
import { formatDecimal } from "../format/numbers.ts";
import { linkTo } from "../ui/link_to.ts";
import type { Cell, CellLink, Picture } from "./picture.ts";
import type { ShownPassage } from "./use_passage.ts";
import "./picture_table.css";

/** Most columns with wide gaps beside each other. */
const mostRoomy = 8;

interface PictureTableProps {
  picture: Picture;
  /** The paths that stand out in the chart. */
  passage: ShownPassage;
}

/** The table that says the same as a chart. A row of a stream shows its paths in the chart. */
export function PictureTable({ picture, passage }: PictureTableProps) {
  const { title, columns, rows, nameColumns = 1, hasTotals, shades, decimals, links, flow } =
    picture;
  const { path, setPassing } = passage;
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
              <Table.Tr
                key={index}
                fw={hasTotals && index === 0 ? 600 : undefined}
                className={path?.has(index) ? "on-path" : undefined}
                onMouseEnter={flow && (() => setPassing(flow.streams[index]))}
                onMouseLeave={flow && (() => setPassing(undefined))}
              >
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
                    {flow && column === nameColumns - 1
                      ? <PlaceButton place={flow.streams[index]!.to} {...{ passage, cell }} />
                      : (
                        <LinkedCell link={links?.[index]?.[column]}>
                          {show(cell, decimals)}
                        </LinkedCell>
                      )}
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
    <Anchor
      {...linkTo(`/w/${id}${link.path}`, link.search)}
      fz="inherit"
      fw="inherit"
      title={link.title}
    >
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

interface PlaceButtonProps {
  /** Key of a place. */
  place: string;
  passage: ShownPassage;
  cell: Cell;
}

/** Shows the paths through a place while it has the focus, and once it is pressed. */
function PlaceButton({ place, passage, cell }: PlaceButtonProps) {
  const { setPassing, chosen, choose } = passage;
  return (
    <UnstyledButton
      className="place"
      aria-pressed={chosen === place}
      title="Show the paths through this event"
      onFocus={() => setPassing({ from: place, to: place })}
      onBlur={() => setPassing(undefined)}
      onClick={() => choose(place)}
    >
      {cell}
    </UnstyledButton>
  );
}
