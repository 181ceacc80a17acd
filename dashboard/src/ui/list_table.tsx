import { Anchor, Box, Checkbox, Paper, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { memo, type MouseEvent, type ReactNode, useCallback, useRef } from "react";
import { isSame } from "../api/is_same.ts";
import { type ListQuery, listRows } from "../api/use_api.ts";
import { countOf } from "../format/numbers.ts";
import { type LinkSearch, linkTo } from "./link_to.ts";
import { ListError } from "./list_error.tsx";
import { LoadMore } from "./load_more.tsx";
import { TableSkeleton } from "./skeletons.tsx";
import { SortHeader, type SortKey, useAriaSort } from "./sort_header.tsx";
import { mostWhole, TableParts, useSteadyColumns } from "./table_parts.tsx";

export interface Column<T> {
  label: string;
  cell: (row: T) => ReactNode;
  /** Hides the column on narrower screens. */
  visibleFrom?: "xs" | "sm" | "md" | "lg" | "xl";
  /** Hides the column on a phone, also when it is chosen. */
  isWide?: boolean;
  align?: "right";
  width?: number | string;
  /** Sorts the list: the page has the filter `sort`, and the list its parameter. */
  sort?: SortKey;
}

/** Rows that are chosen for an action on all of them. */
export interface Selection<T> {
  /** Keys of the rows: their IDs, or what `keyOf` returns. */
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names a row to screen readers. */
  nameOf: (row: T) => string;
  /** Returns whether a row can be chosen. @default all can */
  canSelect?: (row: T) => boolean;
}

interface ListTableProps<T extends { id: string }> {
  /** Names the table to screen readers. */
  label: string;
  list: ListQuery<T>;
  /** Shown instead of the rows of the list, for instance in groups. */
  rows?: T[];
  /** A row is drawn again only if it changes, or this array: keep it with `useMemo`. */
  columns: Column<T>[];
  /** Path that a row links to. The first column holds the link. */
  linkTo?: (row: T) => string;
  linkSearch?: (row: T) => LinkSearch;
  /** Tells rows apart. @default their ID */
  keyOf?: (row: T) => string;
  /** The order without a choice. @default "newest" */
  usualSort?: SortKey;
  /** Adds a box to each row. */
  selection?: Selection<T> | undefined;
  empty: ReactNode;
}

/** A table of a list: a skeleton while it loads, an error, its rows, or an empty state. */
export function ListTable<T extends { id: string }>(props: ListTableProps<T>) {
  const { list, columns, label, usualSort: usual = "newest", keyOf = ({ id }: T) => id } = props;
  const rows = props.rows ?? listRows(list);
  const isLong = rows.length > mostWhole;
  const { head, widths } = useSteadyColumns(isLong, columns.map(({ label }) => label).join());
  const choose = useChoose(props.selection);
  if (list.isPending) return <TableSkeleton columns={columns.length} />;
  if (list.isError && !list.data) {
    return (
      <Paper p="md">
        <ListError error={list.error} retry={list.refetch} />
      </Paper>
    );
  }
  const boxes = props.selection ? 1 : 0;
  if (rows.length === 0) {
    // A page of a filtered list can be empty although there are more.
    return <Paper>{list.hasNextPage ? <LoadMore list={list} /> : props.empty}</Paper>;
  }
  return (
    <Paper style={{ overflow: "hidden" }} aria-busy={list.isPlaceholderData}>
      {list.isRefetchError && (
        <Box p="md">
          <ListError error={list.error} retry={list.refetch} />
        </Box>
      )}
      <Table
        aria-label={label}
        aria-rowcount={isLong ? list.hasNextPage ? -1 : rows.length + 1 : undefined}
        highlightOnHover={props.linkTo !== undefined}
        layout={widths ? "fixed" : "auto"}
        verticalSpacing="sm"
        horizontalSpacing="md"
      >
        <Table.Thead>
          <Table.Tr ref={head}>
            {props.selection && (
              <Table.Th w={widths?.[0] ?? 40} scope="col">
                <SelectAll rows={rows} keyOf={keyOf} {...props.selection} />
              </Table.Th>
            )}
            {columns.map((column, index) => (
              <Heading key={column.label} {...{ column, usual }} steady={widths?.[index + boxes]} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <TableParts
          rows={rows}
          columns={columns.length + boxes}
          draw={(row, index) => (
            <Row
              key={keyOf(row)}
              rowKey={keyOf(row)}
              rowIndex={isLong ? index + 2 : undefined}
              row={row}
              columns={columns}
              to={props.linkTo?.(row)}
              search={props.linkSearch?.(row)}
              name={props.selection?.nameOf(row)}
              isSelected={props.selection?.selected.has(keyOf(row)) ?? false}
              choose={props.selection?.canSelect?.(row) === false ? undefined : choose}
            />
          )}
        />
      </Table>
      <LoadMore list={list} />
      <RowCount count={rows.length} hasMore={list.hasNextPage} />
    </Paper>
  );
}

/** Says to screen readers that rows have arrived. */
function RowCount({ count, hasMore }: { count: number; hasMore: boolean }) {
  return (
    <VisuallyHidden role="status">
      {countOf(count, "row")}
      {hasMore ? ", more available" : ""}
    </VisuallyHidden>
  );
}

interface HeadingProps<T> {
  column: Column<T>;
  /** The order without a choice. */
  usual: SortKey;
  /** The width that the column keeps, in percent. */
  steady: string | undefined;
}

function Heading<T>({ column, usual, steady }: HeadingProps<T>) {
  const { label, visibleFrom, align, width, sort } = column;
  const order = useAriaSort({ sortKey: sort, usual });
  return (
    <Table.Th
      className="list-heading"
      visibleFrom={visibleFrom}
      ta={align}
      w={steady ?? width}
      scope="col"
      aria-sort={order}
    >
      {sort ? <SortHeader sortKey={sort} usual={usual} label={label} /> : label}
    </Table.Th>
  );
}

interface SelectAllProps<T> extends Selection<T> {
  rows: T[];
  keyOf: (row: T) => string;
}

/** Chooses all rows that are loaded and can be chosen, or none. */
function SelectAll<T>({ rows, keyOf, selected, onChange, canSelect }: SelectAllProps<T>) {
  const keys = (canSelect ? rows.filter(canSelect) : rows).map(keyOf);
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key));
  return (
    <Checkbox
      aria-label="Select all loaded rows"
      checked={isAll}
      disabled={keys.length === 0}
      indeterminate={!isAll && keys.some((key) => selected.has(key))}
      onChange={() => onChange(new Set(isAll ? [] : keys))}
    />
  );
}

/** Follows the row's link on a click beside it, with the keys that open a new tab. */
function followRow(event: MouseEvent<HTMLTableRowElement>): void {
  if (!(event.target instanceof Element) || event.target.closest("a, button, input, label")) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const press = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  event.currentTarget.querySelector(".row-link")
    ?.dispatchEvent(new globalThis.MouseEvent("click", press));
}

/** Returns a function that chooses a row, or not any more. It stays the same. */
function useChoose<T>(selection: Selection<T> | undefined): (rowKey: string) => void {
  const latest = useRef(selection);
  latest.current = selection;
  return useCallback((rowKey) => {
    const { selected, onChange } = latest.current!;
    onChange(toggle(selected, rowKey));
  }, []);
}

interface RowProps<T> {
  row: T;
  rowKey: string;
  /** The place in the table, the head being 1; undefined where all rows are drawn. */
  rowIndex: number | undefined;
  columns: Column<T>[];
  /** Path that it links to. */
  to: string | undefined;
  search: LinkSearch | undefined;
  /** Names it to screen readers; undefined where no row can be chosen. */
  name: string | undefined;
  isSelected: boolean;
  /** Undefined for a row without a box. */
  choose: ((rowKey: string) => void) | undefined;
}

const Row = memo(DrawnRow, isSameRow) as typeof DrawnRow;

/** The filters of a link are a new object each time the list is drawn. */
function isSameRow<T>(before: RowProps<T>, after: RowProps<T>): boolean {
  const names = Object.keys(after) as (keyof RowProps<T>)[];
  return names.every((name) =>
    name === "search" ? isSame(before.search, after.search) : before[name] === after[name]
  );
}

function DrawnRow<T>(props: RowProps<T>) {
  const { row, rowKey, rowIndex, columns, to, search, name, isSelected, choose } = props;
  return (
    <Table.Tr
      className="list-row"
      aria-rowindex={rowIndex}
      onClick={to === undefined ? undefined : followRow}
    >
      {name !== undefined && (
        <Table.Td className="list-choice">
          {choose && (
            <Checkbox
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={() => choose(rowKey)}
            />
          )}
        </Table.Td>
      )}
      {columns.map(({ label, cell, visibleFrom, align }, index) => (
        <Table.Td key={label} visibleFrom={visibleFrom} ta={align}>
          {index === 0 && to !== undefined
            ? <Anchor {...linkTo(to, search)} className="row-link">{cell(row)}</Anchor>
            : cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** Returns a set with an id, or without it if it had it. */
export function toggle(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface RowButtonProps {
  /** Lets a dialog return the focus to the button. */
  rowId?: string;
  /** For a row that unfolds others: whether they are shown. */
  isOpen?: boolean | undefined;
  onClick: () => void;
  children: ReactNode;
}

/** A button that covers its whole row. */
export function RowButton({ rowId, isOpen, onClick, children }: RowButtonProps) {
  return (
    <UnstyledButton
      className="row-link"
      data-row={rowId}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
    </UnstyledButton>
  );
}
