import { Anchor, Box, Checkbox, Paper, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { type ListQuery, listRows } from "../api/use_api.ts";
import { countOf } from "../format/numbers.ts";
import { ErrorState } from "./error_state.tsx";
import { type LinkSearch, linkTo } from "./link_to.ts";
import { LoadMore } from "./load_more.tsx";
import { TableSkeleton } from "./skeletons.tsx";

export interface Column<T> {
  label: string;
  cell: (row: T) => ReactNode;
  /** Hides the column on narrower screens. */
  visibleFrom?: "xs" | "sm" | "md" | "lg";
  align?: "right";
  width?: number | string;
}

/** Rows that are chosen for an action on all of them. */
export interface Selection<T> {
  /** Keys of the rows: their IDs, or what `keyOf` returns. */
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names a row to screen readers. */
  nameOf: (row: T) => string;
}

interface ListTableProps<T extends { id: string }> {
  /** Names the table to screen readers. */
  label: string;
  list: ListQuery<T>;
  columns: Column<T>[];
  /** Path that a row links to. The first column holds the link. */
  linkTo?: (row: T) => string;
  linkSearch?: (row: T) => LinkSearch;
  /** Tells rows apart. @default their ID */
  keyOf?: (row: T) => string;
  /** Adds a box to each row. */
  selection?: Selection<T> | undefined;
  empty: ReactNode;
}

/** A table of a list: a skeleton while it loads, an error, its rows, or an empty state. */
export function ListTable<T extends { id: string }>(props: ListTableProps<T>) {
  const { list, columns, label, keyOf = ({ id }: T) => id } = props;
  if (list.isPending) return <TableSkeleton columns={columns.length} />;
  if (list.isError && !list.data) {
    return (
      <Paper p="md">
        <ErrorState error={list.error} retry={list.refetch} />
      </Paper>
    );
  }
  const rows = listRows(list);
  if (rows.length === 0) return <Paper>{props.empty}</Paper>;
  return (
    <Paper style={{ overflow: "hidden", opacity: list.isPlaceholderData ? 0.6 : 1 }}>
      {list.isRefetchError && (
        <Box p="md">
          <ErrorState error={list.error} retry={list.refetch} />
        </Box>
      )}
      <Table
        aria-label={label}
        highlightOnHover={props.linkTo !== undefined}
        verticalSpacing="sm"
        horizontalSpacing="md"
      >
        <Table.Thead>
          <Table.Tr>
            {props.selection && (
              <Table.Th w={40} scope="col">
                <SelectAll keys={rows.map(keyOf)} {...props.selection} />
              </Table.Th>
            )}
            {columns.map(({ label, visibleFrom, align, width }) => (
              <Table.Th key={label} visibleFrom={visibleFrom} ta={align} w={width} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row
              key={keyOf(row)}
              rowKey={keyOf(row)}
              row={row}
              columns={columns}
              linkTo={props.linkTo}
              linkSearch={props.linkSearch}
              selection={props.selection}
            />
          ))}
        </Table.Tbody>
      </Table>
      <LoadMore list={list} />
      <VisuallyHidden role="status">
        {countOf(rows.length, "row")}
        {list.hasNextPage ? ", more available" : ""}
      </VisuallyHidden>
    </Paper>
  );
}

/** Chooses all rows that are loaded, or none. */
function SelectAll<T>({ keys, selected, onChange }: Selection<T> & { keys: string[] }) {
  const isAll = keys.every((key) => selected.has(key));
  return (
    <Checkbox
      aria-label="Select all loaded rows"
      checked={isAll}
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

interface RowProps<T> {
  row: T;
  rowKey: string;
  columns: Column<T>[];
  linkTo: ((row: T) => string) | undefined;
  linkSearch: ((row: T) => LinkSearch) | undefined;
  selection: Selection<T> | undefined;
}

function Row<T>(props: RowProps<T>) {
  const { row, rowKey, columns, linkTo: pathOf, linkSearch, selection } = props;
  return (
    <Table.Tr className="list-row" onClick={pathOf && followRow}>
      {selection && (
        <Table.Td className="list-choice">
          <Checkbox
            aria-label={`Select ${selection.nameOf(row)}`}
            checked={selection.selected.has(rowKey)}
            onChange={() => selection.onChange(toggle(selection.selected, rowKey))}
          />
        </Table.Td>
      )}
      {columns.map(({ label, cell, visibleFrom, align }, index) => (
        <Table.Td key={label} visibleFrom={visibleFrom} ta={align}>
          {index === 0 && pathOf
            ? (
              <Anchor {...linkTo(pathOf(row), linkSearch?.(row))} className="row-link">
                {cell(row)}
              </Anchor>
            )
            : cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function toggle(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface RowButtonProps {
  onClick: () => void;
  children: ReactNode;
}

/** A button that covers its whole row. */
export function RowButton({ onClick, children }: RowButtonProps) {
  return <UnstyledButton className="row-link" onClick={onClick}>{children}</UnstyledButton>;
}
