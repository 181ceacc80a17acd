import type { Cell, Picture } from "../../charts/picture.ts";

/** Returns a picture for the board: of streams, only the first events after the start. */
export function shrinkPicture(picture: Picture): Picture {
  if (picture.flow === undefined) return picture;
  const first = picture.flow.headings[1];
  const rows = picture.rows.filter(([position]) => position === first);
  const { flow: _, ...rest } = picture;
  return {
    ...rest,
    labels: rows.map(([, , to]) => String(to)),
    series: [{ label: "Customers", data: rows.map(([, , , count]) => Number(count)) }],
    isHorizontal: true,
    barTexts: rows.map(([, , , , share]) => ({ long: String(share), short: String(share) })),
  };
}

/** Says the figures of a small picture in words: its totals, or each of its bars. */
export function describeFigures({ labels, series, columns, rows, hasTotals }: Picture): string {
  const pairs: (readonly [string, Cell])[] = hasTotals
    ? columns.slice(1).map((column, index) => [column, rows[0]?.[index + 1] ?? null] as const)
    : labels.map((label, index) => [label, series[0]?.data[index] ?? null] as const);
  return pairs.map(([name, value]) => `${name}: ${value ?? "–"}`).join("; ");
}
