import { Table } from "@mantine/core";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Rows of a part. */
const partSize = 25;
/** Up to so many rows a table is drawn whole. */
export const mostWhole = 4 * partSize;
/** Distance from the screen within which a part is drawn, in pixels. */
const margin = "1200px 0px";

interface TablePartsProps<T> {
  rows: readonly T[];
  /** The number of columns. */
  columns: number;
  draw: (row: T, index: number) => ReactNode;
}

/** The rows of a table in parts. Those of a long table are empty space while far from the screen. */
export function TableParts<T>({ rows, columns, draw }: TablePartsProps<T>) {
  const isLong = rows.length > mostWhole;
  const starts = Array.from({ length: Math.ceil(rows.length / partSize) }, (_, n) => n * partSize);
  return starts.map((start) => (
    <Part key={start} columns={columns} isLong={isLong}>
      {() => rows.slice(start, start + partSize).map((row, index) => draw(row, start + index))}
    </Part>
  ));
}

interface PartProps {
  columns: number;
  isLong: boolean;
  children: () => ReactNode;
}

function Part({ columns, isLong, children }: PartProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  // Its height while it is empty.
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const element = body.current;
    if (!isLong || element === null) return setHeight(undefined);
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      if (entry === undefined || entry.isIntersecting) setHeight(undefined);
      // A part with the focus stays, or the keyboard would start again at the top.
      else if (!element.contains(document.activeElement)) {
        setHeight((known) => known ?? entry.boundingClientRect.height);
      }
    }, { rootMargin: margin });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLong]);
  return (
    <Table.Tbody ref={body}>
      {height === undefined ? children() : (
        <tr aria-hidden="true">
          <td colSpan={columns} style={{ height, padding: 0 }} />
        </tr>
      )}
    </Table.Tbody>
  );
}

/** Width of each column in percent; of one that is not shown, undefined. */
type Widths = (string | undefined)[];

/**
 * Keeps the columns of a long table as wide as they are, although their rows come and go.
 *
 * @param columns names the columns: others are measured again.
 */
export function useSteadyColumns(isLong: boolean, columns: string) {
  const head = useRef<HTMLTableRowElement>(null);
  const [widths, setWidths] = useState<Widths>();
  useLayoutEffect(() => {
    if (isLong && head.current && widths === undefined) setWidths(measure(head.current));
  }, [isLong, widths]);
  useEffect(() => {
    const forget = () => setWidths(undefined);
    forget();
    addEventListener("resize", forget);
    return () => removeEventListener("resize", forget);
  }, [columns]);
  return { head, widths: isLong ? widths : undefined };
}

function measure(head: HTMLTableRowElement): Widths {
  const whole = head.offsetWidth;
  return [...head.cells].map(({ offsetWidth: width }) =>
    width === 0 || whole === 0 ? undefined : `${(100 * width) / whole}%`
  );
}
